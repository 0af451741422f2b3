/** One file of a patch. `added`: numbers of the lines, in the newer file, that it adds; none where it is deleted or binary. */
export interface PatchFile {
  readonly change: "created" | "modified" | "deleted";
  readonly added: ReadonlySet<number>;
}

/** Numbers of the lines that a git patch adds, by path. */
export const addedLines = (patch: string): ReadonlyMap<string, ReadonlySet<number>> =>
  new Map([...filesOfPatch(patch)].map(([path, { added }]) => [path, added]));

/** What a git patch without renames, one character per byte, does to each file. */
export function filesOfPatch(patch: string): ReadonlyMap<string, PatchFile> {
  const files = new Map<string, { change: PatchFile["change"]; added: Set<number> }>();
  let file: { change: PatchFile["change"]; added: Set<number> } | undefined;
  let at = 0;
  let left = 0;
  for (const row of patch.split("\n")) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(row);
    if (left > 0 && isInNewer(row)) {
      if (row.startsWith("+")) file?.added.add(at);
      at += 1;
      left -= 1;
    } else if (hunk) {
      at = Number(hunk[1]);
      left = Number(hunk[2] ?? 1);
    } else if (row.startsWith("diff --git ")) {
      file = { change: "modified", added: new Set() };
      files.set(pathOf(row), file);
      left = 0;
    } else if (file) file.change = MARKS[row.slice(0, 13)] ?? file.change;
  }
  return files;
}

const MARKS: Readonly<Record<string, PatchFile["change"]>> = { "new file mode": "created", "deleted file ": "deleted" };

/** An empty row is an empty line, where a user's diff.suppressBlankEmpty takes its space away. */
const isInNewer = (row: string): boolean => row.startsWith("+") || row.startsWith(" ") || row === "";

/** Without renames both paths are the same: half of what stands there, as git quotes it. */
function pathOf(row: string): string {
  const both = row.slice("diff --git ".length);
  const half = both.slice(0, (both.length - 1) / 2);
  const plain = half.startsWith('"') ? unquoted(half) : half;
  return Buffer.from(plain, "latin1").toString("utf8").slice("a/".length);
}

/** From left to right, so that a backslash of the name is no beginning of an escape. */
const unquoted = (text: string): string =>
  text
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (LETTERS[code] ?? code),
    );
const LETTERS: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };
