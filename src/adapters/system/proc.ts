import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { sep } from "node:path";

/** What /proc says about one process. Times are in clock ticks since the machine started. */
export interface ProcStat {
  readonly state: string;
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
    group: Number(fields[2]),
    startedAt,
    cpuTicks: Number(fields[11]) + Number(fields[12]),
  };
}

export const procBootId = (): string => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();

/** Every process that carries NAME=VALUE in its first environment; those of other people cannot be seen. */
export function procWithEnv(name: string, value: string): number[] {
  const wanted = Buffer.from(`\0${name}=${value}\0`);
  return pids().filter((pid) => {
    const environ = attempt(() => readFileSync(`/proc/${pid}/environ`));
    return environ ? Buffer.concat([NUL, environ, NUL]).includes(wanted) : false;
  });
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
