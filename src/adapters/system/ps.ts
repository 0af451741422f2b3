import { execFileSync } from "node:child_process";

const say = (file: string, args: readonly string[]): string =>
  execFileSync(file, args, { encoding: "utf8", env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" } }).trim();

/** Start time and state where there is no /proc; null: there is no such process. Throws where `ps` cannot say. */
export function psStat(
  pid: number,
): { readonly startedAt: string; readonly state: string; readonly group: number } | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return null;
  }
  const words = say("ps", ["-o", "state=,pgid=,lstart=", "-p", String(pid)]).split(/\s+/);
  const [state, group, ...started] = words;
  if (!state || !group || started.length === 0) throw new Error(`ps says nothing about ${pid}`);
  return { state: state.charAt(0), group: Number(group), startedAt: started.join(" ") };
}

/** Something that differs after each start of the machine. */
export const psBootId = (): string => say("sysctl", ["-n", "kern.boottime"]);

/** Every process of a group. */
export const psMembers = (group: number): number[] => pairs("pgid").flatMap(([pid, of]) => (of === group ? [pid] : []));

/** Every process with its parent. */
export const psParents = (): readonly (readonly [number, number])[] => pairs("ppid");

const pairs = (of: string): readonly (readonly [number, number])[] =>
  say("ps", ["-axo", `pid=,${of}=`])
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, other]) => (pid === undefined || other === undefined ? [] : [[pid, other] as const]));
