import type { FoundFile, FoundLine, SearchQuery, SearchResult } from "../../../ports/searcher.ts";
import { printable } from "../printable.ts";

/** What was found as grep writes it, and a last line that says what is not shown. */
export function foundText(result: SearchResult, { context }: Pick<SearchQuery, "context">): readonly string[] {
  const lines = result.files.flatMap((file, i) => fileLines(file, { context, isFirst: i === 0 }));
  return lines.map(printable);
}

/** A word about what was cut, is no text or cannot be read; none where that is nothing. */
export function foundNotes(result: SearchResult): readonly string[] {
  const { shown, total, matchedFiles, binary, binaryCount, unread, unreadCount } = result;
  const notes: string[] = [];
  if (shown < total) notes.push(`${shown} of ${total} matches in ${files(matchedFiles)} shown; --limit 0 shows all`);
  if (binaryCount > 0) notes.push(`no text, and may have more matches: ${named(binary, binaryCount)}`);
  if (unreadCount > 0) notes.push(`cannot be read: ${named(unread, unreadCount)}`);
  return notes.map(printable);
}

const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);
const named = (some: readonly string[], count: number): string =>
  some.slice(0, 5).join(", ") + (count > 5 ? ` and ${count - Math.min(5, some.length)} more` : "");

function fileLines({ path, lines }: FoundFile, of: { context: number; isFirst: boolean }): readonly string[] {
  return lines.flatMap((line, i) => {
    const before = lines[i - 1];
    const isApart = of.context > 0 && (before ? !follows(before, line) : !of.isFirst);
    const mark = line.isMatch ? ":" : "-";
    return [...(isApart ? ["--"] : []), `${path}${mark}${line.line ?? "?"}${mark}${line.text}`];
  });
}

const follows = (before: FoundLine, line: FoundLine): boolean =>
  before.line === null || line.line === null || line.line === before.line + 1;

/** The same as `--json` has it. */
export function foundDocument(result: SearchResult) {
  const lineOf = ({ isMatch, isCut, ...line }: SearchResult["files"][number]["lines"][number]) => ({
    ...line,
    match: isMatch,
    ...(isCut ? { cut: true } : {}),
  });
  return {
    ok: true,
    files: result.files.map(({ lines, ...file }) => ({ ...file, lines: lines.map(lineOf) })),
    shown: result.shown,
    total: result.total,
    matched_files: result.matchedFiles,
    binary: result.binary,
    binary_count: result.binaryCount,
    unread: result.unread,
    unread_count: result.unreadCount,
  };
}
