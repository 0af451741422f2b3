import { setMaxListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { PawlError } from "../domain/errors.ts";
import type { Fact } from "../domain/fact.ts";
import type { Input } from "../domain/input.ts";
import type { TraceIntent } from "../domain/intent.ts";
import type { BlobHash, Instant, LegKey, MapHash, TaskId } from "../domain/names.ts";
import type { Settings } from "../ports/settings.ts";
import type { Reading } from "../ports/source.ts";
import type { Lease, Tick } from "../ports/store.ts";
import { Board } from "./board.ts";
import { Commits } from "./commits.ts";
import { restOf } from "./end.ts";
import { eventOf } from "./events.ts";
import { type FaultListener, Faults } from "./faults.ts";
import { Files } from "./files.ts";
import { Intake } from "./intake.ts";
import { Lanes } from "./lanes.ts";
import { leaseLost, takeLease } from "./lease.ts";
import { Looking } from "./look.ts";
import { lookAtGates } from "./look-at-gates.ts";
import { lookAtBase, lookAtBranches, lookAtRuns, lookForSignal, lookIntoInbox } from "./lookers.ts";
import type { Ending, Listener, Parts, Until } from "./parts.ts";
import { putAway, putAwayEarlier } from "./put-away.ts";
import { newsOf } from "./reading.ts";
import { type DecideParts, decideTick, reapOf, type Turned } from "./tick.ts";
import { Ticker } from "./ticker.ts";

const BATCH = 512;
const STEP_MS = 2_000;
const RENEW_MS = 2_000;

/**
 * The processor: holds the lease of one store and turns. `open` takes the lease (STORE_HELD if somebody has it), loads,
 * and puts every open effect in doubt: there is no recovery mode. `close` gives the lease back and touches no worker.
 */
export class Engine {
  readonly board: Board;
  readonly #parts: Parts;
  readonly #lease: Lease;
  readonly #intake = new Intake();
  readonly #lanes: Lanes;
  readonly #abort = new AbortController();
  readonly #ticker: Ticker;
  readonly #commits: Commits;
  readonly #files: Files;
  readonly #listeners: Listener[] = [];
  readonly #looking: Looking[];
  #looksWaiting: (() => void)[] = [];
  readonly #opened: Instant;
  readonly #faults: Faults;
  #settings: Settings;
  #seq: number;
  #readings: Promise<void> = Promise.resolve();

  /** `onBoard` is told of the rows before files are read: whether a dependency is known depends on them. */
  static async open(parts: Parts, onBoard: (board: Board) => void = () => {}): Promise<Engine> {
    const lease = await takeLease(parts);
    try {
      const snapshot = await parts.store.load();
      const board = new Board(snapshot, parts.only ?? null);
      onBoard(board);
      const first = await parts.source.read();
      if (first.settings === null || first.errors.length > 0)
        throw new PawlError("CONFIG_INVALID", "the configuration or the backlog has faults", {
          data: { errors: first.errors },
        });
      await putAwayEarlier({ ...parts, board });
      return new Engine(parts, { lease, board, seq: snapshot.seq, settings: first.settings, first });
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  private constructor(
    parts: Parts,
    start: { lease: Lease; board: Board; seq: number; settings: Settings; first: Reading },
  ) {
    this.#parts = parts;
    this.#lease = start.lease;
    this.board = start.board;
    this.#seq = start.seq;
    this.#settings = start.settings;
    this.#opened = start.board.now;
    this.#faults = new Faults(parts.probe);
    this.#ticker = new Ticker(parts.clock, start.board.now);
    this.#commits = new Commits(parts.store, start.lease.epoch, () => this.#intake.nudge());
    this.#files = new Files({ blob: async (hash) => this.#commits.blob(hash) ?? (await parts.store.blob(hash)) });
    start.lease.lost.addEventListener("abort", () => this.#abort.abort(new Error("the lease is lost")), { once: true });
    const push = (input: Input, blobs?: ReadonlyMap<BlobHash, Uint8Array>) =>
      this.#intake.push(blobs ? { input, blobs } : { input });
    const { signal } = this.#abort;
    setMaxListeners(0, signal); // every effect and look under way listens to it
    const hands = {
      runtime: parts.runtime,
      forge: parts.forge,
      channels: parts.channels,
      blob: (hash: BlobHash) => this.#files.blob(hash),
    };
    this.#lanes = new Lanes({
      hands,
      epoch: start.lease.epoch,
      signal,
      probe: parts.probe,
      ended: push,
      paused: () => this.#intake.nudge(),
    });
    const lookers = [
      lookAtRuns(this.board, parts.runtime, {
        push,
        ended: (task, leg) => this.#reap(task, leg),
        hash: parts.hash,
      }),
      ...(parts.gates ? [lookAtGates(this.board, parts.gates, { push, blob: hands.blob })] : []),
      lookAtBranches(this.board, parts.forge, push),
      lookAtBase(this.board, parts.forge, push),
      lookIntoInbox(parts.inbox, push),
      ...[...parts.signals].map(([name, signals]) => lookForSignal(name, this.board, signals, push)),
      ...(parts.beside ?? []),
    ];
    this.#looking = lookers.map(
      (looker) =>
        new Looking(looker, { signal, epoch: start.lease.epoch, probe: parts.probe, settled: () => this.#settled() }),
    );
    const only = parts.only ? { only: [...parts.only] } : {};
    this.#intake.push({ input: { kind: "processor-started", ...parts.who, ...only } });
    this.#take(start.first);
    this.#lanes.doubt(openIntents(this.board));
  }

  get epoch(): number {
    return this.#lease.epoch;
  }
  get settings(): Settings {
    return this.#settings;
  }
  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }
  /** what is wrong with the files that are read while it runs, each time that changes; nothing: all is right again */
  onFaults(listener: FaultListener): void {
    this.#faults.listen(listener);
  }

  /** Turns until `until` is reached, somebody asks to stop, or the signal aborts. */
  async run(until: Until, signal: AbortSignal): Promise<Ending> {
    // a loop that fails ends the processor in order, not the process in the middle of something
    const failed = (error: unknown) => this.#abort.abort(error);
    const loops = [...this.#looking.map((looking) => looking.run()), this.#watchFiles(), this.#renew()].map((loop) =>
      loop.catch(failed),
    );
    const nudge = () => this.#intake.nudge();
    signal.addEventListener("abort", nudge, { once: true });
    this.#abort.signal.addEventListener("abort", nudge, { once: true });
    try {
      return await this.#turn(until, signal);
    } finally {
      signal.removeEventListener("abort", nudge);
      this.#abort.abort(new Error("the processor stops"));
      for (const begin of this.#looksWaiting.splice(0)) begin();
      await Promise.all(loops);
    }
  }

  /** One cycle of the specification: look once, then tick and drain until what it started is done, at most 2 s. */
  async step(): Promise<void> {
    await this.#tickDown();
    await this.#lookAtAll();
    const end = performance.now() + STEP_MS;
    do await this.#tickDown();
    while ((await this.#lanes.idle(Math.max(0, end - performance.now()))) && this.#intake.size > 0);
    await this.#tickDown();
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error("the processor stops"));
    await this.#readings;
    await this.#commits.durable().catch(() => {}); // whoever ran it was told
    await this.#lease.release();
  }

  async #turn(until: Until, signal: AbortSignal): Promise<Ending> {
    for (;;) {
      await this.#tickAll();
      if (signal.aborted) {
        await this.#commits.durable();
        return { kind: "interrupted" };
      }
      if (this.#abort.signal.aborted) throw leaseLost(this.#abort.signal.reason);
      const ending = this.#endingOf(until);
      if (ending?.kind === "ended" && (await this.#lookOnceMore())) continue;
      if (ending) return ending;
      await this.#intake.stirred(this.#untilWake());
    }
  }

  #endingOf(until: Until): Ending | null {
    if (this.#intake.size > 0 || this.#commits.size > 0 || this.#lanes.active > 0) return null;
    const { stopping } = this.board.backlog;
    // what is in doubt is looked for by the next processor: a forge that is down must not keep this one
    if (stopping && (!stopping.workers || (this.board.indexes.running.size === 0 && this.#lanes.underWay === 0)))
      return { kind: "stopped", ...stopping };
    if (stopping || this.#lanes.underWay > 0) return null;
    if (until === "stopped") return null;
    const rest = restOf(this.board, this.#opened);
    return rest === "terminal" || rest === until ? { kind: "ended", rest } : null;
  }

  /** Before it ends it asks everybody once: an answer or a file that came just now is not left lying. True: something came. */
  async #lookOnceMore(): Promise<boolean> {
    await Promise.all([this.#lookAtAll(), this.#read()]);
    return this.#intake.size > 0;
  }

  /** Everybody once, and then the files, where somebody may have written some. */
  async #lookAtAll(): Promise<void> {
    await Promise.all(this.#looking.map((looking) => looking.once()));
    if (this.#parts.beside?.length) await this.#read();
  }

  #untilWake(): number {
    const wake = this.board.indexes.nextWake();
    return wake === null ? 60_000 : Math.max(1, this.#ticker.until(wake));
  }

  /** Ticks until a tick has nothing to say. What was decided may still be on its way into the store. */
  async #tickAll(): Promise<void> {
    for (;;) {
      await setImmediate(); // what has ended by now goes into this tick, not one each into the next ones
      await this.#commits.room();
      await this.#letLook();
      const { now, gapMs } = this.#ticker.read();
      if (gapMs > 0) this.#intake.pushFirst({ input: { kind: "clock-gap", ms: gapMs } });
      const arrived = this.#intake.drain(BATCH);
      const turned = await decideTick(this.#seq + 1, now, arrived, this.#decideParts());
      const { tick, facts, started } = turned;
      if (tick) this.#handOver(tick, turned);
      else this.#lanes.start(started);
      if (!tick || (facts.length === 0 && this.#intake.size === 0)) return;
    }
  }
  /** The same, and what was decided is durable. */
  async #tickDown(): Promise<void> {
    await this.#tickAll();
    await this.#commits.durable();
  }

  #decideParts(): DecideParts {
    return {
      board: this.board,
      build: this.#parts.build,
      // a row that was let go may be on its way into the store
      stored: async (id) => {
        await this.#commits.durable();
        return this.#parts.store.task(id);
      },
      wardrobe: {
        settings: this.#settings,
        row: (id: TaskId) => this.board.task(id),
        map: (hash: MapHash) => this.board.map(hash),
        file: (...args: Parameters<Files["of"]>) => this.#files.of(...args),
        hash: this.#parts.hash,
        keep: (hash: BlobHash, bytes: Uint8Array) => this.#files.keep(hash, bytes),
      },
    };
  }

  /** To the store; its effects start once it is durable. */
  #handOver(tick: Tick, { started }: Turned): void {
    const { seq, now, inputs, facts } = tick;
    this.#seq = seq;
    // a run that has begun may be over by now: what said so came before anybody knew of it
    if (facts.some(({ kind }) => kind === "worker-spawned")) this.#poke("runs");
    const told = this.#listeners.map((listener) => listener({ seq, now, inputs, facts, board: this.board }));
    const kept = async () => {
      this.#record(facts);
      for (const tell of told) tell();
      for (const input of inputs)
        if (input.kind === "signal-seen") await putAway(input, { ...this.#parts, board: this.board });
      this.#lanes.start(started);
    };
    this.#commits.add(tick, { kept, isQuiet: started.length === 0 && !facts.some(isAwaited) });
  }

  #record(facts: readonly Fact[]): void {
    for (const fact of facts) {
      const event = eventOf(fact);
      if (event) this.#parts.probe.record(event);
      if (fact.kind === "gate-opened") this.#poke("gates");
      if (fact.kind === "asking-started") this.#poke(`signal ${fact.signal}`);
    }
  }
  #poke(looker: string): void {
    this.#looking.find(({ name }) => name === looker)?.poke();
  }

  /** A look that may act on what it finds in the rows begins when they are durable: no turn is decided before it has. */
  async #settled(): Promise<void> {
    if (this.#commits.size === 0 || this.#abort.signal.aborted) return;
    await new Promise<void>((begin) => this.#looksWaiting.push(begin));
  }
  async #letLook(): Promise<void> {
    if (this.#looksWaiting.length === 0) return;
    await this.#commits.durable();
    for (const begin of this.#looksWaiting.splice(0)) begin();
    await setImmediate();
  }

  /** A run that ended is read once, and again only after a crash. */
  #reap(task: TaskId, leg: LegKey): void {
    if (this.board.reading(task)) return;
    this.#lanes.start([reapOf(task, leg, this.board)]);
  }

  #take(reading: Reading): void {
    if (reading.settings) this.#settings = reading.settings;
    this.#faults.found([...reading.errors, ...reading.warnings], reading.errors);
    for (const arrived of newsOf(reading, this.board)) this.#intake.push(arrived);
  }

  async #watchFiles(): Promise<void> {
    const { source } = this.#parts;
    for await (const _ of source.changed(this.#abort.signal)) await this.#read();
  }

  /** One reading after the other: an older one must not overwrite what a newer one found. */
  #read(): Promise<void> {
    const reading = this.#readings.then(async () => this.#take(await this.#parts.source.read()));
    this.#readings = reading.catch(() => {});
    return reading;
  }

  async #renew(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      await this.#parts.clock.sleep(RENEW_MS, this.#abort.signal);
      if (!this.#abort.signal.aborted && !(await this.#lease.renew()))
        this.#abort.abort(new Error("the lease is lost"));
    }
  }
}

const openIntents = (board: Board): readonly TraceIntent[] =>
  [...board.rows.values()].flatMap((task) => [
    ...(task.doing.kind === "effect" ? [task.doing.intent] : []),
    ...task.chores,
  ]);

/** Somebody at a terminal waits for it. */
const isAwaited = ({ kind }: Fact): boolean => kind === "command-answered";
