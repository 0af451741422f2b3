import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Edit } from "../../src/workspace/edit/edit.ts";

/** Five files: one made (in new folders), one moved, one deleted, two changed. */
export const EDITS: readonly Edit[] = [
  { op: "create", path: "new/deep/made.ts", text: "made\n".repeat(50) },
  { op: "move", from: "moved.ts", to: "elsewhere/moved.ts" },
  { op: "delete", path: "gone.ts" },
  { op: "replace", path: "src/one.ts", old: "one", new: "ONE" },
  { op: "insert", path: "src/two.ts", at: "start", text: "// header" },
];

/** The files that they are about, below a new folder. */
export function makeFiles(root: string): void {
  const files = {
    "moved.ts": "moved\r\n",
    "gone.ts": "gone\n",
    "src/one.ts": `${"a line\n".repeat(2_000)}one\n`,
    "src/two.ts": "two",
    "elsewhere/other.ts": "other\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  chmodSync(join(root, "moved.ts"), 0o750);
  chmodSync(join(root, "src/one.ts"), 0o600);
}

/** Every name below a folder: folders, and files with their mode and bytes. */
export const stateOf = (root: string): string =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .sort()
    .map((path) => {
      const stats = lstatSync(join(root, path));
      const rest = stats.isDirectory()
        ? "/"
        : ` ${(stats.mode & 0o777).toString(8)} ${readFileSync(join(root, path), "latin1")}`;
      return path + rest;
    })
    .join("\n");

/** A path that is nowhere: where the program of the sweep opens it, its work begins. */
export const GO = "/pawl-sweep-begins";
