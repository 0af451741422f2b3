import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import { fileLocks } from "../../adapters/store/file-lock.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { systemFiles } from "../../adapters/system/files.ts";
import { createEditor, type EditorParts } from "./editor.ts";
import type { Edit } from "./json-edits.ts";

function workspace(files: Record<string, string | Uint8Array>, more: Partial<EditorParts> = {}) {
  const folder = scratch();
  const root = join(folder, "root");
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const journalDir = join(folder, "journals");
  const parts = { files: systemFiles(), lock: fileLocks(), clock: systemClock(), root, journalDir, scope: () => null };
  const editor = createEditor({ ...parts, ...more });
  return { root, journalDir, folder, editor, edit: async (...edits: Edit[]) => editor.apply(await editor.plan(edits)) };
}

/** path -> text of all files below a folder. */
const tree = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(root.length + 1), readFileSync(path, "latin1")]),
  );

describe("an editor", () => {
  test("does all of it", async () => {
    const { edit, root, journalDir } = workspace({ "a.ts": "one\n", "b.ts": "two\n", "c.ts": "three\n" });
    chmodSync(join(root, "b.ts"), 0o750);
    const result = await edit(
      { op: "replace", path: "a.ts", old: "one", new: "1" },
      { op: "create", path: "x/y/z.ts", text: "new\n" },
      { op: "move", from: "b.ts", to: "x/b.ts" },
      { op: "delete", path: "c.ts" },
    );
    expect(result).toMatchObject({ ok: true });
    expect(tree(root)).toEqual({ "a.ts": "1\n", "x/y/z.ts": "new\n", "x/b.ts": "two\n" });
    expect(statSync(join(root, "x/b.ts")).mode & 0o777).toBe(0o750);
    expect(readdirSync(journalDir)).toEqual(["lock"]);
  });
});
