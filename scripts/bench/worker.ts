import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Asked, Reply } from "../../test/support/model-server/script.ts";
import { startModelServer } from "../../test/support/model-server/server.ts";
import { git } from "../../test/support/plain-git.ts";
import { median } from "./figure.ts";
import { type Costs, costsOfTurn } from "./worker-costs.ts";

/**
 * What the worker costs beside a bare loop of fetch and spawn, with the same model that answers at once and the same 30
 * commands: `npm run bench:worker [-- --rounds N]`. Both are processes of their own and take turns.
 */
const TURNS = 30;
const rounds = Number(process.argv[process.argv.indexOf("--rounds") + 1]) || 5;
const TICKET =
  "# Bench\n\nRun the commands that you are told, one after the other. Nothing else is to be done.\n\n## Acceptance criteria\n\n- all commands were run\n";

interface Run {
  /** ms from the start of the process to its first request */
  readonly start: number;
  /** ms between an answer and the next request, where a command lies between */
  readonly turns: readonly number[];
  /** bytes of the first request's body */
  readonly first: number;
  /** MiB: the most that all processes of it had at once */
  readonly memory: number;
}

let seen: { at: number; bytes: number; isTurn: boolean }[] = [];
let answered: number[] = [];

function reply(asked: Asked): Reply {
  const names = asked.tools.map(({ name }) => name);
  const done = asked.turns.filter(({ role }) => role === "results").length;
  const shell = { calls: [{ name: "shell", args: { cmd: `echo ${done}` } }] };
  if (names.length === 1) return done < TURNS ? shell : { text: "done" };
  if (names.includes("plan_submit")) return { calls: [{ name: "plan_submit", args: PLAN }] };
  if (names.includes("report_submit")) return { calls: [{ name: "report_submit", args: REPORT }] };
  if (names.length === 0) return { text: JSON.stringify(planned++ === 0 ? EXECUTE : COMPLETE) };
  return done < TURNS ? shell : { calls: [{ name: "done", args: { summary: "all were run" } }] };
}
let planned = 0;
const PLAN = {
  approach: "run them",
  ac_mapping: [{ ac: "AC-001", implementation: "shell", file: "out.txt", test: "none" }],
  files: [{ path: "out.txt", changes: [] }],
  tests: [],
};
const REPORT = { summary: "all were run", ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [] }] };
const EXECUTE = {
  _type: "PLANNER_DECISION",
  action: "EXECUTE",
  task_type: "generic",
  goals: ["run them"],
  reasoning: "",
};
const COMPLETE = { _type: "PLANNER_DECISION", action: "COMPLETE", goals: [], reasoning: "all were run" };

const server = await startModelServer((asked) => {
  const isTurn = asked.turns.at(-1)?.role === "results" && asked.tools.some(({ name }) => name === "shell");
  seen.push({ at: performance.now(), bytes: JSON.stringify(asked.body).length, isTurn });
  const made = reply(asked);
  answered.push(performance.now());
  return made;
});

async function measure(args: readonly string[], cwd: string): Promise<Run> {
  [seen, answered, planned] = [[], [], 0];
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, SCRIPTED_KEY: "none" },
  });
  let said = "";
  child.stderr.on("data", (part: Buffer) => {
    said += part;
  });
  let memory = 0;
  const sampling = setInterval(() => {
    memory = Math.max(memory, treeMemory(child.pid!));
  }, 25);
  const code = await new Promise((done) => child.on("exit", done));
  clearInterval(sampling);
  if (seen.length < TURNS) throw new Error(`only ${seen.length} requests, exit ${code}: ${said}`);
  const turns = seen.flatMap(({ at, isTurn }, i) => (isTurn && i > 0 ? [at - answered[i - 1]!] : []));
  return { start: seen[0]!.at - began, turns, first: seen[0]!.bytes, memory };
}

/**
 * MiB of a process and all below it, what they share counted once (Pss): a child that was just forked has all pages of its
 * parent for a moment, and none of its own.
 */
function treeMemory(pid: number): number {
  const pss = (of: number): number => {
    try {
      const kib = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${of}/smaps_rollup`, "utf8"))?.[1] ?? 0);
      const children = readFileSync(`/proc/${of}/task/${of}/children`, "utf8").trim().split(" ").filter(Boolean);
      return kib + children.reduce((sum, child) => sum + pss(Number(child)), 0);
    } catch {
      return 0;
    }
  };
  return pss(pid) / 1024;
}

const folder = mkdtempSync(join(tmpdir(), "pawl-bench-"));
const base_url = `${server.url}/v1`;
git(folder, "init", "-q", "-b", "main");
writeFileSync(join(folder, "TICKET.md"), TICKET);
writeFileSync(
  join(folder, "pawl.yaml"),
  `models: {main: {provider: openai-compatible, model: scripted, base_url: "${base_url}", key_env: SCRIPTED_KEY, price: {input: 0, output: 0}}}\n`,
);
git(folder, "add", ".");
git(folder, "-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-q", "-m", "first");

const [bare, ours]: [Run[], Run[]] = [[], []];
const costs: Costs[] = [];
try {
  for (let round = 0; round < rounds; round++) {
    bare.push(await measure([join(import.meta.dirname, "worker-loop.mjs"), base_url, TICKET], folder));
    ours.push(await measure([join(import.meta.dirname, "..", "..", "dist", "cli.mjs"), "work", "TICKET.md"], folder));
    const run = join(folder, ".pawl", "runs", "ticket", "01-work-a1");
    costs.push(await costsOfTurn({ run, worktree: join(folder, ".pawl", "worktrees", "ticket") }));
    rmSync(join(folder, ".pawl", "runs"), { recursive: true });
  }
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

const of = (runs: readonly Run[], pick: (run: Run) => number): number => median(runs.map(pick));
const turn = (run: Run): number => median([...run.turns]);
const lines: readonly [string, number, number, string, number][] = [
  ["a turn, ms", of(ours, turn), of(bare, turn), "x", 2],
  ["start to first request, ms", of(ours, (run) => run.start), of(bare, (run) => run.start), "x", 3],
];
console.log(`${rounds} rounds of ${TURNS} commands, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`);
for (const [name, mine, theirs, , target] of lines) {
  const ratio = mine / theirs;
  console.log(
    `${name.padEnd(28)} ${mine.toFixed(1).padStart(8)}   bare ${theirs.toFixed(1).padStart(8)}   ${ratio.toFixed(2)} x   target ${target}${ratio <= target ? "" : "   MISSED"}`,
  );
}
for (const [name, cost] of [
  ["the journal, with fsync", "journal"],
  ["its three files, replaced", "files"],
  ["the scope, compared", "scope"],
] as const)
  console.log(
    `  of it ${name.padEnd(24)} ${median(costs.map((one) => one[cost]))
      .toFixed(2)
      .padStart(6)}`,
  );
const memory = of(ours, (run) => run.memory);
console.log(
  `${"memory of its processes, MiB".padEnd(28)} ${memory.toFixed(0).padStart(8)}   bare ${of(bare, (run) => run.memory)
    .toFixed(0)
    .padStart(8)}            target 120${memory <= 120 ? "" : "   MISSED"}`,
);
const first = of(ours, (run) => run.first);
console.log(
  `${"first request, bytes".padEnd(28)} ${String(first).padStart(8)}   bare ${String(of(bare, (run) => run.first)).padStart(8)}            target 6000${first <= 6000 ? "" : "   MISSED"}`,
);
