import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runWorker, type WorkerOrder } from "../../src/app/worker/compose-worker.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import type { Assignment } from "../../src/protocol/assignment.ts";
import type { Progress } from "../../src/protocol/progress.ts";
import { git, repository } from "./scratch.ts";
import { isPlanner, patternIn, type Says, scriptedMind } from "./scripted-mind.ts";
import { sensible } from "./sensible-mind.ts";
import { ticket } from "./ticket.ts";

const FILES = {
  "src/add.mjs": "export const add = (a, b) => a - b;\n",
  "lib/kept.txt": "kept\n",
  "spec.md": "Numbers are added.\n",
  // passes before the work, and then where add adds
  "suite.sh": 'grep -q "a - b" src/add.mjs || grep -q "a + b" src/add.mjs\n',
  ".gitignore": ".pawl/\n",
};
export interface Lived {
  readonly assignment?: Partial<Assignment>;
  readonly files?: Record<string, string>;
  /** null: what is sensible; `nth` counts from 1 what an executor is asked in tasks beside plan and report */
  readonly says?: (request: ModelRequest, nth: number, at: { readonly repo: string }) => Says | null;
  /** what is said where a plan or a report is wanted; null: what is sensible */
  readonly submits?: (request: ModelRequest) => Says | null;
  /** a repository of an earlier session; default: a new one */
  readonly at?: string;
  /** the run's folder below .pawl */
  readonly run?: string;
  readonly order?: Partial<WorkerOrder>;
}

/** A worker on a real repository, with real commands. */
export async function live({ assignment = {}, files = {}, order = {}, ...of }: Lived = {}) {
  const { says = () => null, submits = () => null, run = "run" } = of;
  const repo = of.at ?? repository({ ...FILES, ...files }).repo;
  const state = join(repo, ".pawl");
  mkdirSync(state, { recursive: true });
  let n = 0;
  const mind = scriptedMind((request) => {
    const isOurs = !isPlanner(request) && !["plan", "report"].includes(patternIn(request));
    n += isOurs ? 1 : 0;
    const said = isOurs || isPlanner(request) ? says(request, n, { repo }) : submits(request);
    return said ?? sensible(request);
  });
  const base = git(repo, "rev-parse", "HEAD");
  const runDir = join(state, run);
  const end = await runWorker(
    {
      assignment: ticket(assignment),
      worktree: repo,
      main: repo,
      baseCommit: base,
      runDir,
      logsDir: join(state, "runs"),
      leg: "task-1/1/1.1",
      models: { planner: mind, executor: mind, compaction: mind },
      env: process.env,
      remote: null,
      materials: [],
      protect: [],
      tree: "run",
      say: () => {},
      ...order,
    },
    new AbortController().signal,
  );
  const text = (name: string): string => readFileSync(join(runDir, name), "utf8");
  const progress = text("progress.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Progress);
  const at = (status: string) => progress.filter((one) => one.status === status).map(({ percent }) => percent);
  return {
    repo,
    base,
    mind,
    end,
    runDir,
    text,
    progress,
    at,
    isTold: (words: string) => JSON.stringify(mind.asked).includes(words),
  };
}
