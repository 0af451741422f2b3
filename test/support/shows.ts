import { appendFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { LINES } from "../scenarios/lines.ts";

/**
 * Says that this test asserts line `line` (from 1) of a scenario; call it behind the assertion. It counts when the test
 * passes. An id or line that is not in the list is an error.
 */
export function shows(id: string, line: number): void {
  if (LINES[id]?.[line - 1] === undefined) throw new RangeError(`scenario ${id} has no line ${line}`);
  onTestFinished(({ task }) => {
    const file = process.env.PAWL_SHOWN;
    const failed = task.result?.state === "fail" || (task.result?.errors?.length ?? 0) > 0;
    if (file && !failed) appendFileSync(file, `${JSON.stringify({ id, line, title: task.name })}\n`);
  });
}
