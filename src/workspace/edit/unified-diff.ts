import type { ByteText } from "./byte-text.ts";
import { isHeader, readHunk } from "./diff-hunk.ts";
import { type GitNames, gitNames, type Names, nameOf, namesOf } from "./diff-paths.ts";
import { type LineHunk, type Operation, updateOf } from "./operation.ts";
import { bare, lineNumber, type PatchLines, patchLines, peek } from "./patch-lines.ts";
import { parseRefusal, Refused } from "./refusal.ts";
import { sentPath, unquoted } from "./sent-path.ts";

/**
 * Unified diffs as git, diff -u and people write them, several one after the other too. What stands around them (mail
 * headers, fences, words) is passed over. Refused: copies, links, submodules, binary patches.
 */
export function readUnifiedDiff(text: ByteText): readonly Operation[] {
  const from = patchLines(text);
  const operations: Operation[] = [];
  while (from.at < from.lines.length) {
    if (isSection(from)) operations.push(operationOf(readSection(from)));
    else if (peek(from)!.startsWith("@@ ") || bare(peek(from)!) === "@@") throw nameless(from);
    else from.at++;
  }
  return operations;
}

const nameless = (from: PatchLines): Refused =>
  parseRefusal("a hunk that belongs to no file", {
    line: lineNumber(from),
    hint: "put --- a/PATH and +++ b/PATH above the first hunk of each file",
  });

const isSection = (from: PatchLines): boolean =>
  peek(from)!.startsWith("diff --git ") || (peek(from)!.startsWith("--- ") && isHeader(from));

/** What a diff says of one file. */
interface Section {
  readonly line: number;
  readonly git: GitNames | null;
  /** header lines of git by their first words: "new file mode" -> "100644" */
  readonly said: ReadonlyMap<string, ByteText>;
  readonly names: Names | null;
  readonly hunks: readonly LineHunk[];
}

function readSection(from: PatchLines): Section {
  const line = lineNumber(from);
  const isGit = peek(from)!.startsWith("diff --git ");
  const git = isGit ? gitNames(bare(from.lines[from.at++]!).slice("diff --git ".length), line) : null;
  const said = isGit ? readSaid(from) : new Map<string, ByteText>();
  let names: Names | null = null;
  if (peek(from)?.startsWith("--- ") && isHeader(from)) {
    const [old, now] = [peek(from)!, peek(from, 1)!].map((text) => nameOf(bare(text).slice(4)));
    names = namesOf(old!, now!, git);
    from.at += 2;
  }
  const hunks: LineHunk[] = [];
  while (peek(from)?.startsWith("@@")) hunks.push(readHunk(from));
  return { line, git, said, names, hunks };
}

const SAID =
  /^(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|similarity index|dissimilarity index|index|GIT binary patch|Binary files) ?(.*)$/;

function readSaid(from: PatchLines): ReadonlyMap<string, ByteText> {
  const said = new Map<string, ByteText>();
  for (let found = true; found; ) {
    const match = SAID.exec(bare(peek(from) ?? ""));
    found = match !== null;
    if (match) said.set(match[1]!, match[2]!);
    if (found) from.at++;
  }
  return said;
}

function operationOf(section: Section): Operation {
  const { said, hunks } = section;
  const { path, to } = pathsOf(section);
  refuseSpecial(section, path);
  if (said.has("new file mode") || section.names?.old === null)
    return {
      op: "create",
      path,
      text: sideOf(section, "add", path),
      overwrite: false,
      isExecutable: isX(said, "new file mode") ?? false,
    };
  if (said.has("deleted file mode") || section.names?.new === null)
    return { op: "delete", path, expected: sideOf(section, "drop", path) };
  const isExecutable = isX(said, "new mode");
  if (hunks.length === 0 && to === null && isExecutable === null)
    throw parseRefusal(`nothing is said about ${path}`, { line: section.line, path, hint: "send its hunks" });
  return updateOf(path, hunks, { to, isExecutable, blob: blobOf(said.get("index")) });
}

function pathsOf({ said, names, git, line }: Section): { readonly path: string; readonly to: string | null } {
  const [from, to] = [said.get("rename from"), said.get("rename to")].map((name) => name && unquoted(name));
  if (from && to) return { path: sentPath(from, line), to: sentPath(to, line) };
  const old = names ? (names.old ?? names.new) : git?.name;
  const now = names ? (names.new ?? names.old) : git?.name;
  if (!old || !now) throw parseRefusal("a file is not named", { line, hint: "write --- a/PATH and +++ b/PATH" });
  if (old === now) return { path: sentPath(old, line), to: null };
  throw parseRefusal(`two names, ${sentPath(old, line)} and ${sentPath(now, line)}, and no word of a move`, {
    line,
    hint: "write the same name twice, or diff --git with rename from and rename to",
  });
}

function refuseSpecial({ said, line }: Section, path: string): void {
  const refuse = (message: string, hint: string) => parseRefusal(message, { line, path, hint });
  if (said.has("copy from")) throw refuse("a copy", "create the file with its whole text");
  if (said.has("GIT binary patch") || said.has("Binary files"))
    throw new Refused({
      code: "BINARY",
      path,
      message: `${path} is binary here`,
      hint: "put the file there by a command",
    });
  for (const mode of [said.get("new file mode"), said.get("new mode"), said.get("index")?.split(" ")[1]])
    if (mode?.startsWith("12") || mode?.startsWith("16"))
      throw refuse("a symbolic link or a submodule", "make it with a command: only regular files are edited");
}

const isX = (said: ReadonlyMap<string, ByteText>, key: string): boolean | null =>
  said.has(key) ? /[1357]\d\d$/.test(said.get(key)!) : null;

/** The first digits of the old blob's name, enough of them to be sure. */
const blobOf = (index: ByteText | undefined): string | null => /^([0-9a-f]{7,64})\.\./.exec(index ?? "")?.[1] ?? null;

/** The whole text of a file that is made or deleted: every line is on one side. */
function sideOf({ hunks, line }: Section, side: "add" | "drop", path: string): ByteText {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (lines.some(({ kind }) => kind !== side))
    throw parseRefusal(
      `a file that is ${side === "add" ? "new" : "deleted"} has ${side === "add" ? "+" : "-"} lines only`,
      {
        line,
        path,
        hint: "name it on both sides to change it",
      },
    );
  return lines.map(({ text }) => text).join("");
}
