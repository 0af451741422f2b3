import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, everywhere. */
const MS_PER_JIFFY = 10;

/** CPU that a process, those it has waited for, and its living children have used; ms. 0 where there is no /proc. */
export function cpuMsOf(pid: number): number {
  const own = statOf(pid);
  if (own === null) return 0;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return [own, ...children].reduce((sum, stat) => sum + stat!.jiffies, 0) * MS_PER_JIFFY;
}

function statOf(pid: number): { readonly parent: number; readonly jiffies: number } | null {
  try {
    // the name may hold spaces and brackets; the fields begin behind it
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    return { parent: fields[1]!, jiffies: fields.slice(11, 15).reduce((a, b) => a + b) };
  } catch {
    return null; // it is gone
  }
}
