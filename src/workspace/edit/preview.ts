import { alignLines, linesOf } from "./align.ts";
import { type ByteText, fromText, isBinary, toBytes } from "./byte-text.ts";
import type { HunkLine } from "./operation.ts";
import type { Change } from "./plan.ts";
import { quoted } from "./sent-path.ts";

/** What changes, as git would print it: in bytes, since not every file is UTF-8. */
export function previewOf(changes: readonly Change[]): Uint8Array {
  const moves = new Map(
    changes.flatMap((change) => (isMove(change, changes) ? [[change.now!.origin!, change]] : [])) as [string, Change][],
  );
  const parts = changes.flatMap((change) => {
    const { key, before, now } = change;
    const moved = moves.get(key);
    if (moved) return [fileDiff({ from: key, to: moved.key, before, now: moved.now })];
    return isMove(change, changes) ? [] : [fileDiff({ from: key, to: key, before, now })];
  });
  return toBytes(parts.join(""));
}

/** A move to where nothing was. One that replaces a file is shown as what it is: one goes, the other changes. */
const isMove = ({ key, before, now }: Change, changes: readonly Change[]): boolean =>
  before === null &&
  now !== null &&
  now.origin !== null &&
  now.origin !== key &&
  changes.some((other) => other.key === now.origin && other.now === null);

interface Sides {
  readonly from: string;
  readonly to: string;
  readonly before: Change["before"];
  readonly now: Change["now"];
}

function fileDiff({ from, to, before, now }: Sides): ByteText {
  const [old, fresh] = [quoted(`a/${fromText(from)}`), quoted(`b/${fromText(to)}`)];
  const lines = [`diff --git ${old} ${fresh}`, ...modeLines(before, now)];
  if (from !== to) lines.push(`rename from ${quoted(fromText(from))}`, `rename to ${quoted(fromText(to))}`);
  const [a, b] = [before?.text ?? "", now?.text ?? ""];
  if (a === b) return `${lines.join("\n")}\n`;
  const names = [before ? old : "/dev/null", now ? fresh : "/dev/null"];
  if (isBinary(a) || isBinary(b)) return `${[...lines, `Binary files ${names.join(" and ")} differ`].join("\n")}\n`;
  // Git sets a tab behind a name with a space, so that it is not taken for a date.
  const [one, two] = names.map((name) => (name.includes(" ") ? `${name}\t` : name));
  return `${[...lines, `--- ${one}`, `+++ ${two}`].join("\n")}\n${hunksOf(alignLines(linesOf(a), linesOf(b)))}`;
}

function modeLines(before: Change["before"], now: Change["now"]): readonly string[] {
  const [old, fresh] = [before && gitMode(before.mode), now && gitMode(now.mode ?? (now.isExecutable ? 0o755 : 0o644))];
  if (old === null) return [`new file mode ${fresh}`];
  if (fresh === null) return [`deleted file mode ${old}`];
  return old === fresh ? [] : [`old mode ${old}`, `new mode ${fresh}`];
}

const gitMode = (mode: number): string => ((mode & 0o100) === 0 ? "100644" : "100755");

const CONTEXT = 3;

function hunksOf(lines: readonly HunkLine[]): ByteText {
  const parts: ByteText[] = [];
  let [old, fresh, done] = [1, 1, 0];
  for (const [start, end] of spans(lines)) {
    for (; done < start; done++, old++, fresh++);
    const within = lines.slice(start, end);
    const counts = [
      within.filter(({ kind }) => kind !== "add").length,
      within.filter(({ kind }) => kind !== "drop").length,
    ];
    parts.push(`@@ -${range(old, counts[0]!)} +${range(fresh, counts[1]!)} @@\n`, ...within.map(lineOf));
    [old, fresh, done] = [old + counts[0]!, fresh + counts[1]!, end];
  }
  return parts.join("");
}

/** Index ranges with all changes and three lines around each; those that meet are one. */
function spans(lines: readonly HunkLine[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  lines.forEach(({ kind }, i) => {
    if (kind === "keep") return;
    const [start, end] = [Math.max(0, i - CONTEXT), Math.min(lines.length, i + 1 + CONTEXT)];
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else found.push([start, end]);
  });
  return found;
}

const range = (start: number, count: number): string =>
  count === 0 ? `${start - 1},0` : count === 1 ? `${start}` : `${start},${count}`;
const SIGNS = { keep: " ", drop: "-", add: "+" } as const;
const lineOf = ({ kind, text }: HunkLine): ByteText =>
  SIGNS[kind] + (text.endsWith("\n") ? text : `${text}\n\\ No newline at end of file\n`);
