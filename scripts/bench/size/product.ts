import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { median } from "../figure.ts";
import { cpuMsOf } from "../peers/cpu.ts";
import { bigRepository } from "./big-repository.ts";
import type { Measure } from "./measure.ts";
import { CLI, Processor } from "./processor.ts";

const TICKS = 1_000;
const IDLE_MS = 10_000;

/** The shipped program over a repository of that size, seen from outside; each figure as soon as it is there. */
export async function* measureProduct(tasks: number, active: number): AsyncGenerator<Measure> {
  const repo = bigRepository(tasks, active);
  try {
    const first = await timed(async () => {
      const processor = new Processor(repo, 0);
      await processor.saw((one) => one.kind === "worker-spawned", active);
      return processor;
    });
    yield { name: "first run, all files read", value: first.ms / 1_000, unit: "s", target: null };
    await first.of.end({ workers: false });
    const again = await timed(async () => {
      const processor = new Processor(repo, first.of.seq);
      await processor.saw((one) => one.kind === "processor-started");
      return processor;
    });
    yield { name: "start, to the first tick", value: again.ms / 1_000, unit: "s", target: 3 };
    yield { name: "its CPU", value: cpuMsOf(again.of.pid) / 1_000, unit: "s", target: null };
    const status = [1, 2, 3].map(() => runStatus(repo));
    yield { name: "pawl status", value: median(status.map(({ ms }) => ms)) / 1_000, unit: "s", target: 0.5 };
    yield { name: "its CPU", value: median(status.map(({ cpuMs }) => cpuMs)) / 1_000, unit: "s", target: null };
    for (let n = 0; n < TICKS; n++) await again.of.ask(`request-${n}`);
    yield { name: `memory after ${TICKS} ticks`, value: again.of.memory(), unit: "MB", target: 200 };
    const before = cpuMsOf(again.of.pid);
    await pause(IDLE_MS);
    const idle = (cpuMsOf(again.of.pid) - before) / (IDLE_MS / 1_000);
    yield { name: "CPU while nothing happens", value: idle, unit: "ms a second", target: null };
    await again.of.end({ workers: true });
  } finally {
    rmSync(repo, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly of: T; readonly ms: number }> {
  const start = performance.now();
  const of = await work();
  return { of, ms: performance.now() - start };
}

function runStatus(repo: string): { readonly ms: number; readonly cpuMs: number } {
  const start = performance.now();
  const cpu = cpuMsOf(process.pid);
  const { status } = spawnSync(process.execPath, [CLI, "status"], { cwd: repo, stdio: "ignore" });
  if (status !== 0) throw new Error(`pawl status ended with ${status}`);
  return { ms: performance.now() - start, cpuMs: cpuMsOf(process.pid) - cpu };
}
