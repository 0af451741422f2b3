import type { Identity, Processes } from "../../ports/system.ts";
import { descendantsOf, procBootId, procDescendants, procMembers, procStat, procWithEnv, procWithin } from "./proc.ts";
import { psBootId, psMembers, psParents, psStat } from "./ps.ts";

const LINUX = process.platform === "linux";
/** USER_HZ: 100 on every architecture that Node runs on. */
const MS_PER_TICK = 10;

/**
 * The processes of this machine: on Linux by /proc, elsewhere by ps. A zombie is gone: nothing of it runs any more.
 * Where a process is hidden or /proc is not there, the answer is "unknown".
 */
export function systemProcesses(): Processes {
  const self = see(process.pid);
  return {
    self: typeof self === "object" ? self : { pid: process.pid, startedAt: "unknown", bootId: "unknown" },
    identity: async (pid) => see(pid),
    lives: async (who) => lives(who),
    withEnv: async (name, value, after) => (LINUX ? identities(procWithEnv(name, value, after)) : []),
    within: async (folder) => (LINUX ? identities(procWithin(folder)) : []),
    members: async (group) => (isEmpty(group) ? [] : identities(LINUX ? procMembers(group) : psMembers(group))),
    descendants: async (pid) => identities(LINUX ? procDescendants(pid) : descendantsOf(pid, psParents())),
    cpuMs: async (who) => cpuMs(who),
    signal: async (who, signal, to) => send(who, signal, to),
  };
}

function see(pid: number): Identity | "gone" | "unknown" {
  try {
    const stat = LINUX ? procStat(pid) : psStat(pid);
    if (stat === null || stat.state === "Z" || stat.state === "X") return "gone";
    return { pid, startedAt: stat.startedAt, bootId: bootId() };
  } catch {
    return "unknown";
  }
}

let boot: string | undefined;
const bootId = (): string => {
  boot ??= LINUX ? procBootId() : psBootId();
  return boot;
};

/** Whether it still lives: the same pid, start and boot. For who cannot wait. */
export const livesNow = (who: Identity): "alive" | "gone" | "unknown" => lives(who);

function lives(who: Identity): "alive" | "gone" | "unknown" {
  try {
    if (who.bootId !== bootId()) return "gone";
  } catch {
    return "unknown";
  }
  const now = see(who.pid);
  if (typeof now === "string") return now;
  return now.startedAt === who.startedAt ? "alive" : "gone";
}

/** Cheaper than looking at every process: mostly nobody is left of a group. */
function isEmpty(group: number): boolean {
  try {
    process.kill(-group, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

const identities = (pids: readonly number[]): Identity[] => pids.map(see).filter((who) => typeof who === "object");

function cpuMs(who: Identity): number | null {
  if (!LINUX || lives(who) !== "alive") return null;
  try {
    return (procStat(who.pid)?.cpuTicks ?? 0) * MS_PER_TICK;
  } catch {
    return null;
  }
}

/** A group is signalled through its leader only: who merely sits in a group shares it with strangers, and is signalled alone. */
function send(who: Identity, signal: NodeJS.Signals, to: "process" | "group"): boolean {
  if (who.pid <= 1 || lives(who) !== "alive") return false;
  try {
    const leads = to === "group" && (LINUX ? procStat(who.pid) : psStat(who.pid))?.group === who.pid;
    process.kill(leads ? -who.pid : who.pid, signal);
    return true;
  } catch {
    return false;
  }
}
