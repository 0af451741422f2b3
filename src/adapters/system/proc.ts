import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { sep } from "node:path";

/** What /proc says about one process. Times are in clock ticks since the machine started. */
export interface ProcStat {
  readonly state: string;
  /** bits of the kernel's (PF_*) */
  readonly flags: number;
  readonly parent: number;
  readonly group: number;
  readonly startedAt: string;
  readonly cpuTicks: number;
}

/** /proc/PID/stat; null: there is no such process. Throws where that cannot be seen. */
export function procStat(pid: number): ProcStat | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    if (isGone(error) && !exists(pid)) return null;
    throw error;
  }
}

/** A program may call itself anything, `) R 1` too: the fields begin after the last parenthesis. */
export function parseStat(text: string): ProcStat {
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .trimEnd()
    .split(" ");
  const startedAt = fields[19];
  if (startedAt === undefined || !/^\d+$/.test(startedAt)) throw new Error(`not a stat line: ${text}`);
  return {
    state: fields[0] ?? "?",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    flags: Number(fields[6]),
    startedAt,
    cpuTicks: Number(fields[11]) + Number(fields[12]),
  };
}

export const procBootId = (): string => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();

/** Every process that carries NAME=VALUE in its first environment; those of other people cannot be seen. */
export function procWithEnv(name: string, value: string, after?: number): number[] {
  const wanted = Buffer.from(`\0${name}=${value}\0`);
  const from = after === undefined ? 0 : startedAfter(after);
  const all = from === null ? [] : pids().filter((pid) => pid > from);
  return all.filter((pid) => {
    const environ = environOf(pid);
    return environ ? Buffer.concat([NUL, environ, NUL]).includes(wanted) : false;
  });
}

/**
 * While a process becomes another program (between exec and its first instruction) its environment reads as empty: that
 * takes up to some milliseconds, and is waited for. Null: it cannot be seen.
 */
function environOf(pid: number): Buffer | null {
  for (let looks = 0; ; looks++) {
    const environ = attempt(() => readFileSync(`/proc/${pid}/environ`));
    if (environ === null || environ.length > 0 || looks === MOST_LOOKS || !mayBecome(pid)) return environ;
    Atomics.wait(PAUSE, 0, 0, 1);
    // its command line is there first, and who has one and still no environment has none
    if (!isBecoming(pid)) looks = MOST_LOOKS - 1;
  }
}
const MOST_LOOKS = 200;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
/** PF_EXITING and PF_KTHREAD: these have no environment any more, or never had one. */
const ENDS_OR_IS_THE_KERNELS = 0x4 | 0x200000;

const mayBecome = (pid: number): boolean => {
  const stat = attempt(() => procStat(pid));
  return stat !== null && stat.state !== "Z" && stat.state !== "X" && (stat.flags & ENDS_OR_IS_THE_KERNELS) === 0;
};
const isBecoming = (pid: number): boolean => attempt(() => readFileSync(`/proc/${pid}/cmdline`))?.length === 0;

/**
 * The pid behind which all lie that were started after that process; null: there are none. Pids are given out one after
 * the other, and begin again at their highest: 0 where they have, or where the last one is not told.
 */
function startedAfter(pid: number): number | null {
  const last = Number(
    attempt(() => readFileSync("/proc/loadavg", "latin1"))
      ?.trim()
      .split(" ")
      .at(-1),
  );
  if (last === pid) return null;
  return last > pid ? pid : 0;
}

/** Every process of which that one is the parent, its parent's parent and so on. */
export function procDescendants(pid: number): number[] {
  const parents = pids().map((child) => [child, attempt(() => procStat(child))?.parent] as const);
  return descendantsOf(pid, parents);
}

/** All below `pid` in a tree that is given as (child, parent). */
export function descendantsOf(pid: number, parents: readonly (readonly [number, number | undefined])[]): number[] {
  const children = new Map<number | undefined, number[]>();
  for (const [child, parent] of parents) children.set(parent, [...(children.get(parent) ?? []), child]);
  const found: number[] = [];
  for (const next = [pid]; next.length > 0; ) {
    const below = children.get(next.pop()) ?? [];
    found.push(...below);
    next.push(...below);
  }
  return found;
}

/** Every process whose working directory is `folder` or lies in it. */
export function procWithin(folder: string): number[] {
  return pids().filter((pid) => {
    const cwd = attempt(() => readlinkSync(`/proc/${pid}/cwd`));
    return cwd === folder || cwd?.startsWith(folder + sep) === true;
  });
}

/** Every process of a group; its dead, which nobody has waited for yet, are among them. */
export const procMembers = (group: number): number[] =>
  pids().filter((pid) => attempt(() => procStat(pid))?.group === group);

const NUL = Buffer.from("\0");
const pids = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null; // it ended meanwhile, or is another person's
  }
}

const isGone = (error: unknown): boolean => ["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "");

/** With /proc mounted hidepid, or not at all, a missing file is no proof: the kernel is asked too. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
