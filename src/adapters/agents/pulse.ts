import { join } from "node:path";
import type { Ms } from "../../domain/names.ts";
import { RUN_FILES, WORKER_ENV } from "../../protocol/run-folder.ts";
import type { DriverParts } from "./drive.ts";
import { type Drive, fileMark, type LegPlace, readClaim } from "./leg.ts";
import type { Output } from "./output.ts";

/**
 * Signs of life of a leg, never one alone: output, a commit (git's files of the worktree), progress.json, processes
 * that come or go, and child processes that compute. A long silent compiler is alive; a child that hangs is not.
 */
export function startPulse(of: { order: Drive; at: LegPlace; output: Output; parts: DriverParts }): {
  /** how long nothing moved */
  stillFor(): Promise<Ms>;
} {
  const now = () => of.parts.clock.read().mono;
  const everyMs = Math.max(200, (of.order.program.stallMs ?? 0) / 8);
  let moved = now();
  let sampled = moved;
  let last = "";
  let cpu: ReadonlyMap<number, Ms> = new Map();
  let seen = 0;
  return {
    async stillFor() {
      if (of.output.seen() !== seen) {
        seen = of.output.seen();
        moved = now();
      }
      const passed = now() - sampled;
      if (passed >= everyMs) {
        const sample = await look(of);
        if (sample.marks !== last || computed(cpu, sample.cpu) > passed * BUSY_SHARE) moved = now();
        last = sample.marks;
        cpu = sample.cpu;
        sampled = now();
      }
      return now() - moved;
    },
  };
}
/** of one core: what waits in a loop uses less */
const BUSY_SHARE = 0.02;

async function look({ order, at, parts }: { order: Drive; at: LegPlace; parts: DriverParts }) {
  const files = [
    ...["HEAD", "index", join("logs", "HEAD")].map((name) => join(order.gitDir, name)),
    join(at.run, RUN_FILES.progress),
    join(at.run, RUN_FILES.inbox), // an answer that it waited for
  ].map(fileMark);
  const agent = readClaim(at)?.agent?.pid;
  const cpu = new Map<number, Ms>();
  for (const who of await parts.processes.withEnv(WORKER_ENV.legDir, at.folder)) {
    // the agent's own loop always turns a little: its children count
    if (who.pid !== agent) cpu.set(who.pid, (await parts.processes.cpuMs(who)) ?? 0);
  }
  return { marks: JSON.stringify([files, [...cpu.keys()].sort((a, b) => a - b)]), cpu };
}

const computed = (before: ReadonlyMap<number, Ms>, after: ReadonlyMap<number, Ms>): Ms =>
  [...after].reduce((sum, [pid, ms]) => sum + Math.max(0, ms - (before.get(pid) ?? ms)), 0);
