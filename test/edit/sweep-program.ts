// Applies the edits of the sweep, or brings them to an end, and dies at a call of its file port: MODE ROOT JOURNALS AT, like
// 7, or "rename 3". At 0 it lives, and says what it called. Where it opens GO, a tracer begins to count.
import { openSync } from "node:fs";
import { fileLocks } from "../../src/adapters/store/file-lock.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemFiles } from "../../src/adapters/system/files.ts";
import type { Files } from "../../src/ports/files.ts";
import { createEditor } from "../../src/workspace/edit/editor.ts";
import { EDITS, GO } from "./sweep-plan.ts";

const [mode, root, journalDir, at] = process.argv.slice(2) as [string, string, string, string];
const calls: string[] = [];

/** The port, which dies before the call with that number, and after the last one at the call behind it. */
function armed(files: Files): Files {
  const names = Object.keys(files) as (keyof Files)[];
  const counted = names.map((name) => [
    name,
    (...args: unknown[]) => {
      calls.push(name);
      const nth = calls.filter((one) => one === name).length;
      if (at === String(calls.length) || at === `${name} ${nth}`) process.kill(process.pid, "SIGKILL");
      return (files[name] as (...given: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(counted) as Files;
}

const files = armed(systemFiles());
const editor = createEditor({ files, lock: fileLocks(), clock: systemClock(), root, journalDir, scope: () => null });
try {
  openSync(GO, "r");
} catch {
  // It is not there; that it was asked for is in the trace.
}
if (mode === "recover") await editor.recover();
else {
  const result = await editor.apply(await editor.plan(EDITS));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
}
console.log(calls.join(" "));
