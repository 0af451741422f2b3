import type { ChildProcess } from "node:child_process";

/** Whether this process stays because of that one. */
export function hold(child: ChildProcess, isHeld: boolean): void {
  for (const one of [child, child.stdin, child.stdout, child.stderr]) {
    const it = one as unknown as { ref(): void; unref(): void } | null;
    if (isHeld) it?.ref();
    else it?.unref();
  }
}
