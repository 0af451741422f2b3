import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** Where each step writes its line: what a step does, on every side. */
export interface Ledger {
  /** `task` from 1, `step` from 1 */
  write(task: number, step: number): void;
  close(): void;
}

/** `told`: called once, behind line `after`. */
export function openLedger(path: string, after: number, told: () => void): Ledger {
  const file = openSync(path, "a");
  let lines = 0;
  return {
    write(task, step) {
      writeSync(file, `${task} ${step}\n`);
      if (++lines === after) told();
    },
    close: () => closeSync(file),
  };
}

/** What is wrong with a ledger in which every step of every task must stand once, in its task's order; null: nothing. */
export function faultOf(path: string, tasks: number, steps: number): string | null {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  const next = new Map<number, number>();
  for (const [i, line] of lines.entries()) {
    const [task = 0, step = 0] = line.split(" ").map(Number);
    const expected = next.get(task) ?? 1;
    if (step !== expected) return `line ${i + 1}: step ${step} of task ${task}, where ${expected} comes next`;
    next.set(task, step + 1);
  }
  return lines.length === tasks * steps && next.size === tasks
    ? null
    : `${lines.length} lines of ${next.size} tasks, where ${tasks * steps} of ${tasks} belong`;
}
