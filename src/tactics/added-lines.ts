/** Numbers of the lines, in the newer file, that a git patch adds, by path; a deleted or binary file has none. */
export function addedLines(patch: string): ReadonlyMap<string, ReadonlySet<number>> {
  const files = new Map<string, Set<number>>();
  let lines: Set<number> | null = null;
  let at = 0;
  let left = 0;
  for (const row of patch.split("\n")) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(row);
    if (left > 0 && lines && (row.startsWith("+") || row.startsWith(" "))) {
      if (row.startsWith("+")) lines.add(at);
      at += 1;
      left -= 1;
    } else if (hunk) {
      at = Number(hunk[1]);
      left = Number(hunk[2] ?? 1);
    } else if (row.startsWith("diff --git ")) {
      const path = pathOf(row);
      lines = path === null ? null : new Set();
      if (path !== null && lines) files.set(path, lines);
      left = 0;
    }
  }
  return files;
}

/** No renames are asked for, so both paths are the same: half of what stands there, as git quotes it. */
function pathOf(row: string): string | null {
  const both = row.slice("diff --git ".length);
  const half = both.slice(0, (both.length - 1) / 2);
  const plain = half.startsWith('"') ? unquoted(half) : half;
  return plain.startsWith("a/") ? plain.slice(2) : null;
}

function unquoted(text: string): string {
  const bytes = text
    .slice(1, -1)
    .replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\(["\\])/g, "$1");
  return Buffer.from(bytes, "latin1").toString("utf8");
}
