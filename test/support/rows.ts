import { type Backlog, DEFAULT_LIMITS, emptyBacklog, type Limits } from "../../src/domain/backlog.ts";
import { NOTHING } from "../../src/domain/budget.ts";
import { evolve } from "../../src/domain/evolve.ts";
import { type Fact, isTaskFact } from "../../src/domain/fact.ts";
import type { Command, EffectResult, Input, RunEnd, SignalAnswer } from "../../src/domain/input.ts";
import type { Intent, TraceIntent } from "../../src/domain/intent.ts";
import type { Commit, EffectKey, HostName, LegKey, MapHash, PhaseName, TaskId } from "../../src/domain/names.ts";
import type { Phase, PhaseMap, Step, Target } from "../../src/domain/phase.ts";
import { type Setting, settle } from "../../src/domain/settle.ts";
import type { Change, Doing, Finding, Running, Seed, Task, Waiting } from "../../src/domain/task.ts";
import { Board } from "../../src/engine/board.ts";
import { tick } from "../../src/engine/commits.ts";
import { Intake } from "../../src/engine/intake.ts";
import type { Wardrobe } from "../../src/engine/orders.ts";
import type { Ended, Store } from "../../src/ports/store.ts";
import { aFile } from "./task-file.ts";
import { aSeed, aTask, at, hashOf } from "./ticks.ts";

export const HEAD = "a".repeat(40) as Commit;
export const OTHER = "b".repeat(40) as Commit;
export const TIP = "c".repeat(40) as Commit;
export const MERGED = "d".repeat(40) as Commit;
export const NOW = at(1_000_000);

export const AGENT: Step = { run: "agent", role: "implementer", checkout: "branch", pr: false };
export const VERIFIER: Step = { run: "agent", role: "verifier", checkout: "clean", pr: false };
export const GATE: Step = { run: "signal", name: "human-approval", pr: true, answeredBy: "human" };
export const SIGNAL: Step = { run: "signal", name: "pr-approved", pr: true, answeredBy: "command" };
export const READY: Step = { run: "action", name: "mark-ready", how: "mark-ready", pr: true };
export const MERGE: Step = { run: "action", name: "merge", how: "merge", pr: true };
export const command = (change: { pr?: boolean; idempotent?: boolean; canAsk?: boolean } = {}): Step => ({
  run: "action",
  name: "deploy",
  how: "command",
  pr: false,
  idempotent: false,
  canAsk: false,
  wallMs: 60_000,
  ...change,
});

type Lines = { [K in keyof Omit<Phase, "name" | "step">]?: string | number | null };
export const aPhase = (name: string, step: Step, lines: Lines = {}): Phase =>
  ({
    name: name as PhaseName,
    step,
    onPass: "done" as Target,
    onFail: "implement" as PhaseName,
    onWait: name as PhaseName,
    onConflict: null,
    timeoutMs: null,
    escalate: null,
    check: null,
    ...lines,
  }) as Phase;

export const mapOf = (phases: readonly Phase[], hash = "map-1"): PhaseMap => ({
  hash: hash as MapHash,
  name: "default",
  first: phases[0]!.name,
  phases: Object.fromEntries(phases.map((phase) => [phase.name, phase])),
  maxRounds: null,
});

/** implement, verify, await-review, mark-ready, merge, resolve: the built-in one. */
export const MAP = mapOf([
  aPhase("implement", AGENT, { onPass: "verify" }),
  aPhase("verify", VERIFIER, { onPass: "await-review" }),
  aPhase("await-review", GATE, { onPass: "mark-ready" }),
  aPhase("mark-ready", READY, { onPass: "merge", onFail: "mark-ready" }),
  aPhase("merge", MERGE, { onConflict: "resolve" }),
  aPhase("resolve", AGENT, { onPass: "verify", onFail: "resolve" }),
]);

export const CHANGE: Change = { commits: 1, files: 1, added: 1, deleted: 0, patchId: "patch-1" };
/** a row with a published commit, a pull request that is ready, at that phase */
export const atPhase = (phase: string, change: Partial<Task> = {}): Task =>
  aTask("task-1", {
    phase: phase as PhaseName,
    head: HEAD,
    change: CHANGE,
    published: HEAD,
    pr: "pawl://pr/1",
    ready: true,
    ...change,
  });

export const LEG = "task-1/1/1.1" as LegKey;
export const running = (change: Partial<Running> = {}): Running => ({
  kind: "running",
  purpose: "agent",
  leg: LEG,
  host: "here" as HostName,
  since: at(1),
  deadline: at(3_600_001),
  ended: true,
  verdictSince: null,
  unseen: null,
  stopping: null,
  ...change,
});
export const effect = (intent: Partial<TraceIntent> & { kind: TraceIntent["kind"] }): Doing => ({
  kind: "effect",
  intent: { key: `task-1/1/${intent.kind}/1`, task: "task-1", ...intent } as TraceIntent,
  since: at(1),
});
export const waiting = (on: Partial<Waiting>): Doing => ({
  kind: "waiting",
  on: { code: "blocked", owner: "human", reason: "why", since: at(1), until: null, ...on },
});
export const asking = (signal = "human-approval"): Doing => ({ kind: "asking", signal, since: at(1) });
export const finding = (change: Partial<Finding> = {}): Finding => ({
  id: "verify:f1",
  label: "F1",
  source: "verify",
  text: "wrong",
  state: "open",
  seen: 1,
  reopened: 0,
  firstRound: 0,
  lastRound: 0,
  ...change,
});

const BASE = { usage: { ...NOTHING, wallMs: 1_000, spawns: 1 }, usageKnown: true, head: null, change: null };
export const verdict = (
  kind: "PASS" | "FAIL" | "BLOCKED" | "NO_CHANGE",
  change: Partial<Extract<RunEnd, { how: "verdict" }>> = {},
): RunEnd => ({ ...BASE, how: "verdict", verdict: kind, detail: "said so", findings: [], complete: false, ...change });
export const endOf = (how: Exclude<RunEnd["how"], "verdict">, change: Record<string, unknown> = {}): RunEnd =>
  ({ ...BASE, how, detail: how, ...(how === "rate-limited" ? { until: null } : {}), ...change }) as RunEnd;
export const ended = (end: RunEnd, leg = LEG): Input => ({ kind: "run-ended", task: "task-1" as TaskId, leg, end });
export const refused = (
  code: Extract<EffectResult, { kind: "refused" }>["code"],
  change: { files?: string[]; actual?: Commit | null } = {},
): EffectResult => ({ kind: "refused", code, detail: `no: ${code}`, files: [], actual: null, ...change });
export const done = (made: Extract<EffectResult, { kind: "done" }>["made"], found = false): EffectResult => ({
  kind: "done",
  made,
  found,
});
export const effectEnded = (key: string, result: EffectResult): Input => ({
  kind: "effect-ended",
  task: "task-1" as TaskId,
  key: key as EffectKey,
  result,
});
export const answered = (change: Partial<SignalAnswer> = {}, signal = "human-approval"): Input => ({
  kind: "signal-seen",
  task: "task-1" as TaskId,
  signal,
  answer: { id: "answer-1", status: "approved", head: null, by: "lead", message: null, findings: [], ...change },
});
let requests = 0;
export const request = (wanted: Command, task: string | null = "task-1"): Input => ({
  kind: "command-received",
  id: `request-${++requests}`,
  by: "lead",
  task: task as TaskId,
  command: wanted,
});

export interface Around {
  readonly map?: PhaseMap;
  readonly newest?: PhaseMap;
  readonly limits?: Partial<Limits>;
  readonly now?: number;
  readonly massEnd?: boolean;
  readonly unmet?: readonly string[];
}
/** One input, settled: the facts, and the row after them. */
export function settled(task: Task, input: Input, around: Around = {}) {
  const map = around.map ?? MAP;
  const setting: Setting = {
    now: at(around.now ?? NOW),
    backlog: { ...emptyBacklog, limits: { ...DEFAULT_LIMITS, ...around.limits } },
    map: task.map === null ? null : map,
    newest: around.newest ?? map,
    massEnd: around.massEnd ?? false,
    unmet: (around.unmet ?? []) as TaskId[],
  };
  const facts = settle(task, input, setting);
  const row = facts.filter(isTaskFact).reduce(evolve, task);
  return { facts, row, of: pick(facts) };
}
const pick =
  (facts: readonly Fact[]) =>
  <K extends Fact["kind"]>(kind: K): readonly Extract<Fact, { kind: K }>[] =>
    facts.filter((fact): fact is Extract<Fact, { kind: K }> => fact.kind === kind);
/** What a person is told by these facts. */
export const notices = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap((fact) => (fact.kind === "effect-intended" && fact.intent.kind === "notify" ? [fact.intent.text] : []));

export interface Backdrop {
  readonly rows?: readonly Task[];
  readonly seeds?: readonly Seed[];
  readonly ended?: readonly Ended[];
  readonly maps?: readonly PhaseMap[];
  readonly limits?: Partial<Limits>;
  readonly backlog?: Partial<Backlog>;
}
export function boardOf({ rows = [], seeds = [], ended: over = [], maps = [MAP], limits, backlog }: Backdrop): Board {
  const newest = Object.fromEntries(maps.map((map) => [map.name, map.hash]));
  return new Board({
    seq: 0,
    now: NOW,
    backlog: { ...emptyBacklog, maps: newest, limits: { ...DEFAULT_LIMITS, ...limits }, ...backlog },
    live: rows,
    seeds,
    ended: over,
    maps: new Map(maps.map((map) => [map.hash, map])),
  });
}

const AGENT_SPEC = { name: "any", command: "true", prompt: "file", verdict: "file", stallMs: null, env: {} } as const;
export const aSettings = {
  agents: { any: AGENT_SPEC },
  cast: { default: "any" },
  roles: { implementer: "You implement." },
  actions: { deploy: { command: "deploy", check: "deployed?" } },
  signals: {},
  checks: [{ run: "npm test", timeoutMs: 1, when: [] }],
  worktree: { root: "", setup: null, copy: [] },
  env: [],
  protect: [],
  maps: [],
} as unknown as Wardrobe["settings"];

export const wardrobeOf = (board: Board, change: Partial<Wardrobe> = {}): Wardrobe => ({
  settings: aSettings,
  row: (id) => board.task(id),
  map: (hash) => board.map(hash),
  file: async (task) => aFile(task.id),
  hash: (bytes) => hashOf(bytes),
  keep: () => {},
  ...change,
});

/** One real tick on a store that keeps nothing; `rows`: terminal rows that it still has. */
export async function turn(
  board: Board,
  inputs: readonly Input[] = [],
  { now = NOW, rows = [], wardrobe = {} }: { now?: number; rows?: readonly Task[]; wardrobe?: Partial<Wardrobe> } = {},
) {
  const intake = new Intake();
  for (const input of inputs) intake.push({ input });
  const store = {
    commit: async () => "ok",
    task: async (id: TaskId) => rows.find((row) => row.id === id) ?? null,
  } as unknown as Store;
  const parts = { board, store, wardrobe: wardrobeOf(board, wardrobe), epoch: 1, build: "test" };
  const turned = await tick(1, at(now), intake.drain(10_000), parts);
  return { ...turned, of: pick(turned.facts), kinds: started(turned.started) };
}
const started = (intents: readonly Intent[]): readonly string[] =>
  intents.filter(({ kind }) => kind !== "notify").map(({ task, kind }) => `${task} ${kind}`);

export { aSeed, aTask, at };
