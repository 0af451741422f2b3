import { createHash } from "node:crypto";
import { memoryStore } from "../../src/adapters/store/memory.ts";
import { DEFAULT_LIMITS, type Limits } from "../../src/domain/backlog.ts";
import { UNLIMITED } from "../../src/domain/budget.ts";
import type { Fact } from "../../src/domain/fact.ts";
import type { GateOwner } from "../../src/domain/gate.ts";
import type { Command, Input, Sighting } from "../../src/domain/input.ts";
import type { Intent } from "../../src/domain/intent.ts";
import type { BlobHash, Instant, TaskId } from "../../src/domain/names.ts";
import { type PhaseMap, phaseOf } from "../../src/domain/phase.ts";
import type { Running, Task } from "../../src/domain/task.ts";
import { Board } from "../../src/engine/board.ts";
import { type TickParts, tick } from "../../src/engine/commits.ts";
import { Intake } from "../../src/engine/intake.ts";
import type { Wardrobe } from "../../src/engine/orders.ts";
import type { Settings } from "../../src/ports/settings.ts";
import { aFile } from "../support/task-file.ts";
import { gateNews, gateSighting } from "./gates.ts";
import { randomMap, randomTerms, specOf } from "./maps.ts";
import { answer, branchNews, runEnd } from "./outside.ts";
import { Random } from "./random.ts";

export interface Seen {
  readonly seq: number;
  readonly now: Instant;
  readonly before: ReadonlyMap<TaskId, Task>;
  readonly board: Board;
  readonly facts: readonly Fact[];
  readonly started: readonly Intent[];
  readonly inputs: readonly Input[];
}

const settings = {
  agents: { any: { name: "any", command: "true", prompt: "file", verdict: "file", stallMs: null, env: {} } },
  cast: { default: "any" },
  roles: {},
  actions: { changelog: { command: "true", check: null }, deploy: { command: "true", check: "true" } },
  signals: {},
  checks: [],
  worktree: { root: "", setup: null, copy: [] },
  env: [],
  protect: [],
  maps: [] as PhaseMap[],
};

export function randomLimits(random: Random): Limits {
  return {
    ...DEFAULT_LIMITS,
    maxWorkers: 1 + random.below(5),
    maxRuns: 1 + random.below(2),
    maxRounds: 3 + random.below(20),
    maxCrashes: 1 + random.below(3),
    maxConflicts: 1 + random.below(5),
    onLimit: random.pick(["wait", "fail"]),
    approval: random.pick(["commit", "patch"]),
    gates: {
      go: random.pick<GateOwner[]>([["rules"], ["rules", "human"], ["human"]]),
      next: random.pick<GateOwner[]>([["rules"], ["rules", "human"]]),
      timeoutMs: 60_000 * (1 + random.below(30)),
    },
    budget: random.chance(0.2) ? { ...UNLIMITED, spawns: 5 + random.below(40) } : UNLIMITED,
  };
}

/** One seeded world: a map, a backlog, and an outside that may do anything; `look` is called after every tick. */
export async function runWorld(seed: number, look: (seen: Seen) => void): Promise<Board> {
  const random = new Random(seed);
  const store = memoryStore();
  const got = await store.lease({ pid: 1, host: "here", now: 1 as Instant });
  if (!("lease" in got)) throw new Error("no lease");
  const world = new World(random, store, new Board(await store.load()), got.lease.epoch, look);
  await world.live();
  return world.board;
}

class World {
  board: Board;
  readonly #random: Random;
  readonly #store: ReturnType<typeof memoryStore>;
  readonly #epoch: number;
  readonly #look: (seen: Seen) => void;
  readonly #intents = new Map<string, Intent>();
  readonly #maps: PhaseMap[] = [];
  readonly #limits: Limits;
  #now = 1_000 as Instant;
  #seq = 0;
  #requests = 0;
  /** how kind the outside is: rises, so that every world comes to an end */
  #kind = 0.5;

  constructor(
    random: Random,
    store: ReturnType<typeof memoryStore>,
    board: Board,
    epoch: number,
    look: (seen: Seen) => void,
  ) {
    this.#random = random;
    this.#store = store;
    this.board = board;
    this.#epoch = epoch;
    this.#look = look;
    this.#limits = randomLimits(random);
  }

  async live(): Promise<void> {
    this.#maps.push(randomMap(this.#random, 0));
    const ids = Array.from({ length: 1 + this.#random.below(8) }, (_, i) => `task-${i + 1}` as TaskId);
    const backlog: Input[] = ids.map((id, i) => ({
      kind: "spec-read",
      task: id,
      spec: specOf(id),
      terms: randomTerms(this.#random, id, ids.slice(0, i)),
    }));
    await this.#turn([
      { kind: "processor-started", pid: 1, host: "here" },
      { kind: "settings-read", limits: this.#limits },
      { kind: "map-read", map: this.#maps[0]! },
      ...backlog,
    ]);
    const wild = 8 + this.#random.below(20);
    for (let i = 0; i < wild + 250; i++) {
      if (i === wild) this.#kind = 1;
      if (i > wild && this.#isAtRest()) return;
      await this.#turn(this.#arrivals(i < wild));
      if (i < wild && this.#random.chance(0.03)) await this.#crash();
    }
  }

  /** Memory is lost, the store is not: loaded again, every open effect is in doubt. */
  async #crash(): Promise<void> {
    this.board = new Board(await this.#store.load());
    this.#intents.clear();
    for (const task of this.board.rows.values()) {
      if (task.doing.kind === "effect") this.#intents.set(task.doing.intent.key, task.doing.intent);
      for (const chore of task.chores) this.#intents.set(chore.key, chore);
    }
  }

  async #turn(inputs: readonly Input[]): Promise<void> {
    this.#now = (this.#now + this.#random.below(this.#random.chance(0.1) ? 600_000 : 20_000)) as Instant;
    const intake = new Intake();
    for (const input of this.#random.shuffle(inputs)) intake.push({ input });
    const arrived = intake.drain(10_000);
    const before = new Map(this.board.rows);
    const twin = this.#random.chance(0.15) ? await this.#twin(inputs) : null;
    const parts = partsOf(this.board, this.#store, this.#epoch);
    const turned = await tick(this.#seq + 1, this.#now, arrived, parts);
    if (turned.tick) this.#seq++;
    if (twin !== null && twin !== JSON.stringify(turned.facts))
      throw new Error(
        `the same inputs in another order of arrival gave other facts:\n${JSON.stringify(turned.facts)}\n${twin}`,
      );
    for (const intent of turned.started) this.#intents.set(intent.key, intent);
    this.#look({
      seq: this.#seq,
      now: this.#now,
      before,
      board: this.board,
      facts: turned.facts,
      started: turned.started,
      inputs: arrived.map((a) => a.input),
    });
  }

  /** The facts that a second board concludes when the same inputs arrive in another order. */
  async #twin(inputs: readonly Input[]): Promise<string> {
    const intake = new Intake();
    for (const input of this.#random.shuffle(inputs)) intake.push({ input });
    const deaf = { ...this.#store, commit: async () => "ok" as const };
    const turned = await tick(
      this.#seq + 1,
      this.#now,
      intake.drain(10_000),
      partsOf(copyOf(this.board), deaf, this.#epoch),
    );
    return JSON.stringify(turned.facts);
  }

  #arrivals(wild: boolean): Input[] {
    const inputs: Input[] = [];
    for (const intent of this.#intents.values())
      if (this.#random.chance(wild ? 0.6 : 1)) inputs.push(...this.#end(intent));
    for (const task of this.board.rows.values()) inputs.push(...this.#newsOf(task, wild));
    if (wild && this.#random.chance(0.05)) inputs.push(this.#changeMap());
    if (wild && this.#random.chance(0.05)) inputs.push({ kind: "clock-gap", ms: 40_000 });
    if (wild && this.#random.chance(0.25)) inputs.push(this.#request());
    return inputs;
  }

  #end(intent: Intent): Input[] {
    this.#intents.delete(intent.key);
    const of = { now: this.#now, kind: this.#kind };
    if (intent.kind === "reap") {
      const task = this.board.find(intent.task)!;
      const { purpose } = task.doing as Running;
      const phase = phaseOf(this.board.map(task.map!), task.phase)!;
      const clean =
        purpose === "check" || (phase.step.run === "agent" && phase.step.checkout === "clean" && task.head !== null);
      return [
        {
          kind: "run-ended",
          task: intent.task,
          leg: intent.leg,
          end: runEnd(this.#random, task, { ...of, purpose, clean }),
        },
      ];
    }
    const ended: Input = {
      kind: "effect-ended",
      task: intent.task,
      key: intent.key,
      result: answer(this.#random, intent, of),
    };
    return this.#random.chance(0.02) ? [ended, ended] : [ended];
  }

  #newsOf(task: Task, wild: boolean): Input[] {
    const { doing } = task;
    if (task.status === "completed" && !task.synced)
      return [{ kind: "base-seen", task: task.id, contains: !wild || this.#random.chance(0.5) }];
    if (doing.kind === "running" && !doing.ended && this.#random.chance(0.6))
      return [{ kind: "run-seen", task: task.id, leg: doing.leg, sighting: this.#sighting(wild, task) }];
    if (doing.kind === "at-gate") return gateNews(this.#random, task, wild);
    if (doing.kind === "asking" && this.#random.chance(0.5)) return [this.#signal(task, doing.signal, wild)];
    if (wild && task.published !== null && doing.kind !== "effect" && this.#random.chance(0.05))
      return [branchNews(this.#random, task)];
    return [];
  }

  #sighting(wild: boolean, task: Task): Sighting {
    if (wild && task.run && this.#random.chance(0.4)) return gateSighting(this.#random, task);
    if (!wild) return { kind: "ended", driver: "ended" };
    return this.#random.pick<Sighting>([
      { kind: "alive", verdictWritten: false, overBudget: false },
      { kind: "alive", verdictWritten: true, overBudget: false },
      { kind: "alive", verdictWritten: false, overBudget: true },
      { kind: "ended", driver: "ended" },
      { kind: "ended", driver: "ended" },
      { kind: "ended", driver: "ended" },
      { kind: "ended", driver: "gone" },
      { kind: "unknown", why: "cannot see" },
      { kind: "absent" },
    ]);
  }

  #signal(task: Task, signal: string, wild: boolean): Input {
    const status = wild ? this.#random.pick(["approved", "approved", "rejected", "pending"] as const) : "approved";
    const id =
      this.#random.chance(0.05) && task.answers.length > 0 ? task.answers[0]! : `${signal}:${this.#seq}:${task.id}`;
    return {
      kind: "signal-seen",
      task: task.id,
      signal,
      answer: {
        id,
        status,
        head: this.#random.chance(0.3) ? task.head : null,
        by: "lead",
        message: this.#random.chance(0.5) ? `words ${this.#random.pick(["x", "y", "z"])}` : null,
        findings: [],
      },
    };
  }

  #changeMap(): Input {
    const map = randomMap(this.#random, this.#maps.length);
    this.#maps.push(map);
    return { kind: "map-read", map };
  }

  #request(): Input {
    const tasks = [...this.board.rows.keys(), ...this.board.seeds.keys()];
    const task = this.#random.chance(0.02)
      ? ("nobody" as TaskId)
      : this.#random.pick(tasks.length > 0 ? tasks : (["nobody"] as TaskId[]));
    const command = this.#random.pick<Command>([
      { do: "approve", head: null, message: "fine" },
      { do: "reject", head: null, message: "not fine" },
      { do: "retry", from: null },
      { do: "cancel", message: "no need" },
      { do: this.#random.pick(["go", "next"] as const), seq: null, message: null },
      { do: this.#random.pick(["feedback", "fix", "block"] as const), seq: 1, message: "otherwise" },
      { do: "waive", finding: "F1", message: "by design" },
      { do: "extend", timeMs: 60_000, add: { microUsd: 0, tokens: 0, wallMs: 0, spawns: 2 } },
    ]);
    return { kind: "command-received", id: `request-${++this.#requests}`, by: "lead", task, command };
  }

  #isAtRest(): boolean {
    if (this.#intents.size > 0) return false;
    const live = [...this.board.rows.values()].filter((task) => task.status === "in-progress");
    return (
      live.every(({ doing }) => doing.kind === "waiting" && doing.on.until === null) &&
      this.board.indexes.unsynced.size === 0
    );
  }
}

/** The same rows on a board built from nothing. */
export function copyOf(board: Board): Board {
  const fresh = new Board({
    seq: 0,
    now: board.now,
    backlog: board.backlog,
    live: [...board.rows.values()],
    seeds: [...board.seeds.values()],
    ended: [...board.ended.values()],
    maps: board.maps,
  });
  for (const [id, key] of board.reads) fresh.startRead(id, key);
  return fresh;
}

export function partsOf(board: Board, store: TickParts["store"], epoch: number): TickParts {
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex") as BlobHash;
  const withMaps = { ...settings, maps: [...board.maps.values()] } as unknown as Settings;
  const wardrobe: Wardrobe = {
    settings: withMaps,
    row: (id) => board.task(id),
    map: (hash) => board.map(hash),
    file: async (task) => aFile(task.id, { title: task.terms.title }),
    hash,
    keep: () => {},
  };
  return { board, store, wardrobe, epoch, build: "test" };
}
