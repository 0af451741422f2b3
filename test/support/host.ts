import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { createHost } from "../../src/adapters/agents/host.ts";
import { findLeg } from "../../src/adapters/agents/leg.ts";
import type { HostParts } from "../../src/adapters/agents/parts.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { busyGit } from "../../src/adapters/system/git.ts";
import { systemProcesses } from "../../src/adapters/system/processes.ts";
import { NOTHING } from "../../src/domain/budget.ts";
import type { RunEnd } from "../../src/domain/input.ts";
import type { Place, SpawnWish } from "../../src/domain/intent.ts";
import { type HostName, type LegKey, legKey, type PhaseName, runKey, type TaskId } from "../../src/domain/names.ts";
import type { Permit } from "../../src/ports/permit.ts";
import type { Brief, Runtime, SpawnOrder } from "../../src/ports/runtime.ts";
import { WORKER_ENV } from "../../src/protocol/run-folder.ts";
import { repository, write } from "./scratch.ts";

export const permit = (ms = 60_000): Permit => ({ epoch: 1, signal: AbortSignal.timeout(ms) });
export const worker = (name: string): readonly string[] => ["sh", resolve(`test/fixtures/workers/${name}.sh`)];

/** What a test may want otherwise in an order. */
export type Wanted = Partial<Omit<SpawnWish, "place">> & {
  readonly task?: string;
  readonly visit?: number;
  readonly n?: number;
  readonly place?: Place;
  readonly program?: Partial<Brief["program"]>;
  readonly brief?: Partial<Brief>;
};

export interface House {
  readonly repo: string;
  readonly origin: string | null;
  readonly parts: HostParts;
  readonly runtime: Runtime;
  order(wanted?: Wanted): SpawnOrder;
  /** spawns, waits for the end, reaps */
  through(wanted: Wanted): Promise<RunEnd>;
  ended(leg: LegKey, runtime?: Runtime): Promise<void>;
  /** ends what still runs, and throws if anything did */
  leaveNothing(): Promise<void>;
}

const FILES = {
  "README.md": "A shop\n",
  "src/a.txt": "a\n",
  "pawl.yaml": "version: 1\n",
  ".gitignore": "*.log\n.pawl/\n",
};

/** A repository with a host over it, on real git and real processes. What its legs leave running is ended, and fails the test. */
export async function house(
  options: {
    readonly origin?: boolean;
    readonly files?: Record<string, string>;
    /** an empty folder to build in, for many tests together: then `leaveNothing` is theirs to call */
    readonly at?: string;
  } = {},
): Promise<House> {
  const { origin = false, files = {}, at } = options;
  const { repo, origin: far } = repository({ ...FILES, ...files }, { origin, ...(at ? { at } : {}) });
  const state = join(repo, ".pawl");
  mkdirSync(state);
  const parts: HostParts = {
    repo,
    state,
    worktreeRoot: join(state, "worktrees"),
    git: busyGit(),
    processes: systemProcesses(),
    clock: systemClock(),
    pawl: [process.execPath, "-e", "console.log(JSON.stringify(process.argv.slice(1)))"],
    driver: [process.execPath, resolve("dist/cli.mjs"), "drive", "command"],
    name: "here" as HostName,
  };
  const runtime = createHost(parts);
  const legs = new Set<LegKey>();
  const leaveNothing = () => endAll(legs, parts);
  if (at === undefined) onTestFinished(leaveNothing);
  const ended = (leg: LegKey, by = runtime) =>
    until(async () => (await by.look([leg], permit())).get(leg)?.kind === "ended", `${leg} has ended`, 60_000);
  const order = (wanted: Wanted = {}) => {
    const made = makeOrder(wanted, dirname(repo));
    legs.add(made.wish.leg);
    return made;
  };
  return {
    repo,
    origin: far,
    parts,
    runtime,
    order,
    ended,
    leaveNothing,
    async through(wanted) {
      const spawned = order(wanted);
      const result = await runtime.spawn(spawned, permit());
      if (result.kind !== "done") throw new Error(`not spawned: ${JSON.stringify(result)}`);
      await ended(spawned.wish.leg);
      return runtime.reap(spawned.wish.leg, permit());
    },
  };
}

/** Runs each case through as a task of its own, all at once in one house before the tests: most of their time is waiting. */
export function endsOf(
  cases: Readonly<Record<string, Wanted>>,
  /** files that lie in the checkout and are not committed */
  untracked: Record<string, string> = {},
): { home(): House; end(name: string): RunEnd } {
  let home: House | undefined;
  const at = realpathSync(mkdtempSync(join(tmpdir(), "pawl-test-")));
  const ends = new Map<string, RunEnd>();
  beforeAll(async () => {
    const made = await house({ at });
    home = made;
    write(made.repo, untracked);
    const through = async ([name, wanted]: [string, Wanted]) =>
      ends.set(name, await made.through({ task: name, ...wanted }));
    await Promise.all(Object.entries(cases).map(through));
  }, 150_000);
  afterAll(async () => {
    await home?.leaveNothing();
    rmSync(at, { recursive: true, force: true, maxRetries: 3 });
  });
  const there = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error("it did not come through");
    return thing;
  };
  return { home: () => there(home), end: (name) => there(ends.get(name)) };
}

function makeOrder(wanted: Wanted, at: string): SpawnOrder {
  const { task = "task-1", visit = 1, n = 1, place, program, brief, ...wish } = wanted;
  const run = runKey(task as TaskId, visit, 1);
  const leg = legKey(run, n);
  return {
    wish: {
      run,
      leg,
      purpose: "agent",
      phase: "implement" as PhaseName,
      who: "implementer",
      round: 0,
      place: place ?? {
        kind: "worktree",
        branch: `pawl/${task}`,
        base: "main",
        start: null,
        contains: [],
        merge: null,
      },
      wallMs: 60_000,
      reserve: { ...NOTHING, spawns: 1 },
      ...wish,
    },
    brief: {
      assignment: {
        message_type: "TASK_ASSIGNMENT",
        version: 1,
        agent_id: "implementer",
        task_id: task,
        run,
        leg,
        phase: "implement",
        role: "implementer",
        round: 0,
        title: `Work of ${task}`,
        body: "",
        acceptance_criteria: [],
        test_delta: { add: [], update: [], regression: [] },
        authorized_files: ["src/**"],
        timeout_minutes: 1,
        findings: [],
        notes: [],
        worktree: "",
        branch: `pawl/${task}`,
        base: "main",
      },
      prompt: `Do ${task}.\n`,
      setup: null,
      copy: [],
      env: ["PATH", "HOME"],
      authorized: ["src/**"],
      protect: ["pawl.yaml"],
      waived: [],
      checks: [],
      logBytes: 1024 * 1024,
      ...brief,
      program: {
        command: worker("works"),
        prompt: "file",
        verdict: "file",
        stallMs: null,
        ...program,
        env: { GO: join(at, "go"), STARTED: join(at, "started"), ...program?.env },
      },
    },
  };
}

/** Waits for a fact, but not for ever. */
export async function until(fact: () => boolean | Promise<boolean>, what: string, ms = 25_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await fact())) {
    if (performance.now() > end) throw new Error(`it never came true that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Only what is in this house: a leg's key is the same in every project of this machine, and their processes are not ours.
 * Drivers and workers stand in the house's own scratch folder; who went elsewhere carries the path of its run.
 */
async function endAll(legs: ReadonlySet<LegKey>, { processes, state }: HostParts): Promise<void> {
  const runs = [...legs].flatMap((leg) => findLeg(state, leg)?.run ?? []);
  const living = async () => [
    ...(await processes.within(state)),
    ...(await Promise.all(runs.map((run) => processes.withEnv(WORKER_ENV.runDir, run)))).flat(),
  ];
  // a driver that has written its end, or found the leg taken, needs a moment to go
  await until(async () => (await living()).length === 0, "nothing runs any more", 3_000).catch(async (error) => {
    for (const who of await living()) await processes.signal(who, "SIGKILL", "process");
    throw error;
  });
}
