import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { systemProcesses } from "../../../src/adapters/system/processes.ts";
import { until } from "../../support/host.ts";
import { git } from "../../support/scratch.ts";
import { killable, requests } from "./killable.ts";

const { built, fresh, run } = killable("pawl-worker-leftover", 1);
beforeAll(built);
const verdictOf = (folder: string) => JSON.parse(readFileSync(join(folder, "run", "verdict.json"), "utf8"));

test("a command that a killed worker left running is ended before the next life works on", async () => {
  const processes = systemProcesses();
  const folder = fresh();
  writeFileSync(join(folder, "stay"), "");
  expect((await run(folder, "command:1")).code).toBeNull();
  const pid = () => Number(readFileSync(join(folder, "stays"), { encoding: "utf8", flag: "a+" }));
  await until(() => pid() > 0, "the command stays");
  expect(await processes.identity(pid())).toMatchObject({ pid: pid() });
  expect((await run(folder)).code).toBe(0);
  expect(await processes.identity(pid())).toBe("gone");
  expect(verdictOf(folder)).toMatchObject({ verdict: "PASS" });
});

test("edits that somebody takes away while nobody works are told to the model in its next turn, which makes them again", async () => {
  const whole = fresh();
  await run(whole);
  const told = (folder: string) =>
    requests(folder).map((request) => JSON.stringify(request).includes("were taken away"));
  expect(told(whole)).not.toContain(true);
  // the question behind the step that edits: nothing of it is committed yet
  const at = requests(whole).findIndex(({ turns }) => JSON.stringify(turns).includes("made 1")) + 1;
  const folder = fresh();
  expect((await run(folder, `asked:${at}`)).code).toBeNull();
  const repo = join(folder, "repo");
  expect(git(repo, "status", "--porcelain", "src")).not.toBe("");
  git(repo, "restore", ".");
  git(repo, "clean", "-qfd", "src");
  expect((await run(folder)).code).toBe(0);
  expect(told(folder).indexOf(true)).toBe(at - 1);
  expect(JSON.stringify(requests(folder)[at - 1])).toContain(
    "taken away: src/add.mjs, src/step-1.txt are as the last commit",
  );
  expect(verdictOf(folder)).toMatchObject({ verdict: "PASS" });
  expect(git(repo, "show", "--format=", "--name-only", "HEAD")).toBe("src/add.mjs\nsrc/step-1.txt");
});

test("work whose branch somebody moved while nobody worked is no model's to mend: it says so, and asks nobody to", async () => {
  const whole = fresh();
  await run(whole);
  const last = requests(whole).length;
  const folder = fresh();
  expect((await run(folder, `answered:${last}`)).code).toBeNull();
  const repo = join(folder, "repo");
  const ours = git(repo, "rev-parse", "HEAD");
  expect(ours).not.toBe(readFileSync(join(folder, "base"), "utf8"));
  git(repo, "commit", "-q", "--allow-empty", "-m", "of a person");
  await run(folder);
  const said = verdictOf(folder);
  expect(said).toMatchObject({ verdict: "BLOCKED", detail: expect.stringContaining(`the work stands at ${ours}`) });
  expect(requests(folder).length).toBeLessThanOrEqual(last + 1);
});
