import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../../test/support/command-line.ts";
import { faultsRepository } from "../../../test/support/faults-of.ts";
import { repository, scratch } from "../../../test/support/scratch.ts";
import { readConfiguration } from "./reading.ts";
import { prepareState } from "./state-folder.ts";

const { repo, faultsOf, close } = faultsRepository();
afterAll(close);
const AGENT = { "pawl.yaml": "agents: {default: {command: x}}\n" };
const task = (matter: string): string => `---\n${matter}\n---\nDo it.\n`;

test("task files whose names differ in case only are a fault by their ids, and a warning where these are others", async () => {
  const byName = { ...AGENT, "tasks/TICKET.md": task("title: a"), "tasks/ticket.md": task("title: b") };
  expect(await faultsOf(byName)).toEqual([expect.stringMatching(/^ID_CASE:tasks\/ticket.md/)]);
  const byId = {
    ...AGENT,
    "tasks/TICKET.md": task("id: one"),
    "tasks/ticket.md": task("id: two"),
    "tasks/other.md": task("id: three"),
  };
  expect(await faultsOf(byId)).toEqual([]);
  const { warnings } = (await readConfiguration({ repo, overrides: {} })).reading;
  expect(warnings.filter(({ code }) => code === "FILE_CASE").map(({ message }) => message)).toEqual([
    "tasks/TICKET.md and tasks/ticket.md differ in case only: on some machines one takes the other's place",
  ]);
});

test("a ticket of pawl work whose name differs in case only from one that was begun begins nothing", async () => {
  const ticket = "---\ntitle: x\n---\nDo it.\n";
  const made = repository({ "ticket.md": ticket, ".pawl/runs/TICKET/01-work-a1/journal.jsonl": "" });
  const env = { ANTHROPIC_API_KEY: "k" };
  const said = await commandLine(made.repo, ["work", "ticket.md", "--model", "anthropic/x"], env);
  expect(said).toMatchObject({
    code: 2,
    err: expect.stringMatching(/error\[ID_CASE\] ticket and TICKET, which has runs/),
  });
  expect(existsSync(join(made.repo, ".pawl/worktrees"))).toBe(false);
});

test("a folder in the place of a task file is a fault, and its task is not gone", async () => {
  expect(await faultsOf({ ...AGENT, "tasks/a.md/README.md": "x", "tasks/b.md": task("title: b") })).toEqual([
    "FILE_UNREADABLE:tasks/a.md",
  ]);
  const { reading } = await readConfiguration({ repo, overrides: {} });
  expect(reading.specs.map(({ id }) => id)).toEqual(["b"]);
  expect(reading.unread).toEqual([{ id: "a", isSure: false }]);
  rmSync(join(repo, "tasks"), { recursive: true });
});

test("the folder of Pawl's own ignores itself from the first moment on, and again where that was cut off", () => {
  const state = join(scratch(), ".pawl");
  prepareState(state);
  expect(readFileSync(join(state, ".gitignore"), "utf8")).toBe("*\n");
  const cut = join(scratch(), ".pawl");
  mkdirSync(cut);
  writeFileSync(join(cut, ".gitignore"), "");
  prepareState(cut);
  expect(readFileSync(join(cut, ".gitignore"), "utf8")).toBe("*\n");
});
