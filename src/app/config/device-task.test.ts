import { expect, test } from "vitest";
import { repository, scratch, write } from "../../../test/support/scratch.ts";
import type { TaskFile } from "../../protocol/task-file.ts";
import { readConfiguration } from "./reading.ts";

async function tasksOf(config: string, tasks: Record<string, string>) {
  const { repo } = repository({}, { at: scratch() });
  const files = Object.entries(tasks).map(([id, matter]) => [`tasks/${id}.md`, `---\ntitle: x\n${matter}\n---\n`]);
  write(repo, { "pawl.yaml": config, ...Object.fromEntries(files) });
  const { reading } = await readConfiguration({ repo, overrides: {} });
  expect(reading.errors).toEqual([]);
  return Object.fromEntries(
    reading.specs.map(({ id, bytes, terms }) => {
      const { agents, environment } = JSON.parse(Buffer.from(bytes!).toString("utf8")) as TaskFile;
      return [id, { agents, environment, terms }];
    }),
  );
}

const CAST = `default: {command: ./fix.sh}, verifier: {command: [pawl, check]}`;

test("environment: device gives the work to the agent with a screen, and leaves those who judge", async () => {
  const { on, off } = await tasksOf(`agents: {${CAST}, phone: {device: {target: "adb:x"}}}\n`, {
    on: "environment: device",
    off: "",
  });
  expect(on).toMatchObject({ agents: { implementer: "phone" }, environment: "device" });
  expect(on!.terms).toMatchObject({ environment: "device", touches: ["screen:adb:x"] });
  expect(off).toMatchObject({ agents: {}, environment: null });
  expect(off!.terms).not.toHaveProperty("environment");
  expect(off!.terms.touches).toEqual([]);
});

test("6.13 of several screens a task names its own; browsers are for everybody, a phone for one task at a time", async () => {
  const screens = `a: {device: {target: "adb:x"}}, b: {device: {target: "browser:http://127.0.0.1/"}}`;
  const { one, two } = await tasksOf(`agents: {${CAST}, ${screens}}\n`, {
    one: "environment: device\nagents: {implementer: a}\ntouches: [src/**]",
    two: "environment: device\nagents: {implementer: b}",
  });
  expect(one!.terms.touches).toEqual(["src/**", "screen:adb:x"]);
  expect(two!.terms.touches).toEqual([]);
});
