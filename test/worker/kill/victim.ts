// A worker in a process of its own, with a mind that writes down what it is asked, and a place to be killed at:
// node victim.mjs FOLDER TURNS [PLACE]. Places count from the beginning of the run, also in a later life of it.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { runWorker } from "../../../src/app/worker/compose-worker.ts";
import type { ModelRequest } from "../../../src/ports/model.ts";
import { isPlanner, plannerSays, type Says, scriptedMind } from "../../support/scripted-mind.ts";
import { sensible } from "../../support/sensible-mind.ts";
import { ticket } from "../../support/ticket.ts";

const [folder, turns, place = ""] = process.argv.slice(2) as [string, string, string?];
const TURNS = Number(turns);
const [where, nth] = place.split(":");
const die = (): never => process.kill(process.pid, "SIGKILL") as never;

/** One command after the other: how many have succeeded tells which comes next, and one that did not is made again. */
function answer(request: ModelRequest): Says {
  if (request.system.includes("\n\ngeneric: ")) {
    const made = succeeded(request);
    if (made < TURNS) return { calls: [{ name: "shell", args: { cmd: `sh step.sh ${made + 1}` } }] };
    return { calls: [{ name: "done", args: { summary: "all steps are made" } }] };
  }
  if (!isPlanner(request)) return sensible(request);
  const isDone = JSON.stringify(request.turns).includes("- generic: done");
  return plannerSays(
    isDone ? { action: "COMPLETE" } : { action: "EXECUTE", task_type: "generic", goals: ["add adds"] },
  );
}
/** What was taken away is made again. */
const succeeded = ({ turns: all }: ModelRequest): number =>
  all
    .slice(all.findLastIndex((turn) => JSON.stringify(turn).includes("were taken away")) + 1)
    .flatMap((turn) => (turn.role === "results" ? turn.results.filter(({ failed }) => !failed) : [])).length;

const linesOf = (file: string): number =>
  fs.existsSync(file) ? fs.readFileSync(file, "latin1").split("\n").filter(Boolean).length : 0;

/** Dies before the nth line of the journal, after it, or in the middle of it. */
function journalKiller(): void {
  const { writeSync } = fs;
  let line = linesOf(join(folder, "run", "journal.jsonl"));
  const killing = (fd: number, bytes: Uint8Array, at: number): number => {
    if (!Buffer.from(bytes).toString("latin1").startsWith('{"r":"')) return writeSync(fd, bytes, at);
    line += 1;
    if (line !== Number(nth)) return writeSync(fd, bytes, at);
    if (where === "before") die();
    if (where === "torn") writeSync(fd, bytes.subarray(0, Math.ceil(bytes.length / 2)), 0);
    else writeSync(fd, bytes, at);
    return die();
  };
  fs.writeSync = killing as typeof fs.writeSync;
  syncBuiltinESMExports();
}
if (["before", "torn", "after"].includes(where ?? "")) journalKiller();
if (where === "command") fs.writeFileSync(join(folder, "kill"), `${nth} ${process.pid}\n`);

const before = linesOf(join(folder, "requests.jsonl"));
const mind = scriptedMind(
  (request, n) => {
    if (where === "asked" && n === Number(nth)) die();
    fs.appendFileSync(join(folder, "requests.jsonl"), `${JSON.stringify(request)}\n`);
    if (where === "answered" && n === Number(nth)) die();
    return answer(request);
  },
  { before },
);
const worktree = join(folder, "repo");
const end = await runWorker(
  {
    assignment: ticket({
      timeout_minutes: 600,
      test_delta: { add: [], update: [], regression: [{ name: "suite", command: `sh suite.sh ${TURNS}` }] },
    }),
    worktree,
    main: worktree,
    baseCommit: fs.readFileSync(join(folder, "base"), "utf8"),
    runDir: join(folder, "run"),
    logsDir: join(folder, "logs"),
    leg: "task-1/1/1.1",
    models: { planner: mind, executor: mind, compaction: mind },
    env: process.env,
    remote: null,
    materials: [],
    protect: [],
    tree: "run",
    say: () => {},
  },
  new AbortController().signal,
);
fs.writeFileSync(join(folder, "end.json"), JSON.stringify(end));
