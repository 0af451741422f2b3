import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openReader } from "../../../src/adapters/store/index.ts";
import type { Fact } from "../../../src/domain/fact.ts";
import type { Input } from "../../../src/domain/input.ts";
import type { Instant, TaskId } from "../../../src/domain/names.ts";
import type { LoggedTick } from "../../../src/ports/store.ts";

export const CLI = resolve("dist/cli.mjs");
const LOOK_MS = 10;

type Reader = Awaited<ReturnType<typeof openReader>>;

/** `pawl run`, as it is shipped, looked at from outside. */
export class Processor {
  readonly #child: ChildProcess;
  readonly #store: string;
  #reader: Reader | null = null;
  #seq: number;

  /** `after`: the last tick before it */
  constructor(repo: string, after: number) {
    this.#store = join(repo, ".pawl", "store.db");
    this.#seq = after;
    this.#child = spawn(process.execPath, [CLI, "run", "-q"], { cwd: repo, stdio: "ignore" });
  }
  get seq(): number {
    return this.#seq;
  }
  /** resolves at the tick in which `count` of them have come */
  async saw(is: (one: Input | Fact) => boolean, count = 1): Promise<void> {
    for (let seen = 0; seen < count; ) {
      const ticks = await this.#newTicks();
      if (ticks.length === 0) await pause(LOOK_MS);
      for (const { inputs, facts } of ticks) seen += [...inputs, ...facts].filter(is).length;
      if (this.#child.exitCode !== null) throw new Error(`pawl run ended with ${this.#child.exitCode}`);
    }
  }
  /** a request that it refuses: one tick, in which nothing else happens */
  async ask(id: string): Promise<void> {
    const reader = await this.#open();
    const command = { do: "go", seq: null, message: null } as const;
    await reader.post({ id, by: "bench", task: "task-1" as TaskId, command, at: Date.now() as Instant });
    await this.saw((one) => one.kind === "command-answered" && one.id === id);
  }
  /** MB that are resident */
  memory(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child.pid}/status`, "utf8"))![1]) / 1024;
  }
  get pid(): number {
    return this.#child.pid!;
  }
  /** its workers go on, or end with it */
  async end({ workers }: { workers: boolean }): Promise<void> {
    const gone = once(this.#child, "exit");
    if (workers) {
      const reader = await this.#open();
      const command = { do: "stop", workers } as const;
      await reader.post({ id: "the-end", by: "bench", task: null, command, at: Date.now() as Instant });
    } else this.#child.kill("SIGTERM");
    await gone;
    await this.#reader?.close();
  }

  async #open(): Promise<Reader> {
    while (this.#reader === null) {
      if (existsSync(this.#store)) this.#reader = await openReader(this.#store).catch(() => null);
      if (this.#reader === null) await pause(LOOK_MS);
    }
    return this.#reader;
  }
  async #newTicks(): Promise<readonly LoggedTick[]> {
    const reader = await this.#open();
    const ticks = await reader.ticks(this.#seq, 100);
    this.#seq = ticks.at(-1)?.seq ?? this.#seq;
    return ticks;
  }
}
