import { join } from "node:path";
import { systemGit } from "../../adapters/system/git.ts";
import { account, accountLines, differences } from "./account.ts";
import { readFarEnd } from "./far-end.ts";
import { runTests } from "./opening.ts";
import type { Stage } from "./stage.ts";
import type { Voice } from "./voice.ts";
import type { Witness } from "./witness.ts";

const git = systemGit();

/** The last act: the origin, its tests in a fresh clone, the account of both ends. Gives what is not as it should be. */
export async function closing(stage: Stage, voice: Voice, witness: Witness): Promise<readonly string[]> {
  const { act, say, paint } = voice;
  const seen = await witness.load();
  const completed = [...seen.live, ...seen.ended].filter(({ status }) => status === "completed").map(({ id }) => id);
  act("The end: what is there now, and what Pawl's books and everybody else's say");
  const log = await git.must(["log", "--oneline", "--no-decorate", "main"], { cwd: stage.origin });
  say(`   $ git -C ${stage.shown}/origin.git log --oneline`, ...log.split("\n").map((line) => `   ${line}`));

  const clone = join(stage.root, "clone");
  await git.must(["clone", "--quiet", "--template=", stage.origin, clone], { cwd: stage.root });
  const tests = await runTests(stage, clone);
  say(`   npm test in a fresh clone: ${paint.bold(`${tests.passed} passed, ${tests.failed} failed`)}`, "");

  const rows = account(witness.ticks, await readFarEnd(stage));
  say(...accountLines(rows));
  return [
    ...(completed.length === 6 ? [] : [`${completed.length} of 6 tasks are completed: ${completed.join(", ")}`]),
    ...(tests.failed === 0 && tests.passed > 0 ? [] : [`tests in ${clone}:\n${tests.output}`]),
    ...differences(rows),
  ];
}

/** Where everything lies, and what to try there. */
export function farewell(stage: Stage, { say, paint }: Voice): void {
  const { shown } = stage;
  say(
    "",
    `   repository    ${shown}/shop, its origin ${shown}/origin.git`,
    `   run folders   ${shown}/shop/.pawl/runs`,
    `   store         ${shown}/shop/.pawl/store.db`,
    paint.cyan(`   cd ${shown}/shop`),
    ...["show task-002", "why task-003", "status"].map((line) => paint.cyan(`   ../pawl ${line}`)),
  );
}
