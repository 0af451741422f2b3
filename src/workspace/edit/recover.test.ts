import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import { fileLocks } from "../../adapters/store/file-lock.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { systemFiles } from "../../adapters/system/files.ts";
import type { Edit } from "./edit.ts";
import { createEditor, type Editor } from "./editor.ts";
import { readJournal, writeJournal } from "./journal.ts";
import { type FoundState, verdictOf } from "./recovery.ts";

class Dead extends Error {}

/** Files a to d, of which a and b have their new text, as a crash between renames leaves them; and the next start. */
async function halfDone(): Promise<{ root: string; journals: string; next: Editor; read: (path: string) => string }> {
  const folder = scratch();
  const [root, journals] = [join(folder, "root"), join(folder, "journals")];
  mkdirSync(join(root, "d"), { recursive: true });
  for (const path of ["a", "b", "c", "d/d"]) writeFileSync(join(root, path), "old\n");
  const files = systemFiles();
  let renames = 0;
  const dies = () => {
    throw new Dead();
  };
  const rename = (from: string, to: string) => (++renames > 2 ? dies() : files.rename(from, to));
  // Dead from there on: it puts nothing back either.
  const dead = {
    ...files,
    rename,
    read: (path: string, most: number) => (renames > 2 ? dies() : files.read(path, most)),
  };
  const parts = { lock: fileLocks(), clock: systemClock(), root, journalDir: journals, scope: () => null };
  const editor = createEditor({ ...parts, files: dead });
  const plan = await editor.plan(
    ["a", "b", "c", "d/d"].map((path): Edit => ({ op: "replace", path, old: "old", new: "new" })),
  );
  await editor.apply(plan).catch(() => {});
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  expect(["a", "b", "c", "d/d"].map(read)).toEqual(["new\n", "new\n", "old\n", "old\n"]);
  return { root, journals, next: createEditor({ ...parts, files }), read };
}

describe("edits that a crash broke off", () => {
  test("go back to what was, and say so", async () => {
    const { next, read, root, journals } = await halfDone();
    expect(await next.recover()).toEqual([{ id: expect.any(String), outcome: "rolled-back", left: [] }]);
    expect(["a", "b", "c", "d/d"].map(read)).toEqual(["old\n", "old\n", "old\n", "old\n"]);
    expect(readdirSync(root).sort()).toEqual(["a", "b", "c", "d"]);
    expect(readdirSync(journals)).toEqual(["lock"]);
    expect(await next.recover()).toEqual([]);
  });

  test("are brought to their end before anything is planned", async () => {
    const { next, read } = await halfDone();
    const plan = await next.plan([{ op: "replace", path: "a", old: "old", new: "newer" }]);
    expect(plan.error).toBe(null);
    expect(read("b")).toBe("old\n");
  });

  test("leave alone what somebody else has changed since, and name it", async () => {
    const { next, read, root } = await halfDone();
    writeFileSync(join(root, "a"), "mine\n");
    expect(await next.recover()).toMatchObject([{ outcome: "rolled-back", left: ["a"] }]);
    expect(["a", "b", "c", "d/d"].map(read)).toEqual(["mine\n", "old\n", "old\n", "old\n"]);
  });

  test("leave alone what is gone, and what is behind a link now", async () => {
    const { next, read, root } = await halfDone();
    rmSync(join(root, "a"));
    renameSync(join(root, "d"), join(root, "e"));
    symlinkSync("e", join(root, "d"));
    expect(await next.recover()).toMatchObject([{ outcome: "rolled-back", left: ["a", "d/d"] }]);
    expect(existsSync(join(root, "a"))).toBe(false);
    expect(["b", "c", "e/d"].map(read)).toEqual(["old\n", "old\n", "old\n"]);
  });

  test("whose journal was not written to its end were not begun; a damaged one is put aside", async () => {
    const { next, journals, root } = await halfDone();
    await next.recover();
    const whole = writeJournal({ id: "x", changes: [], folders: [], old: [] });
    writeFileSync(join(journals, "torn.journal"), whole.subarray(0, whole.length - 1));
    writeFileSync(join(journals, "empty.journal"), "");
    const damaged = Uint8Array.from(whole);
    damaged[damaged.length - 2]! ^= 1;
    writeFileSync(join(journals, "damaged.journal"), damaged);
    expect((await next.recover()).map(({ id, outcome }) => [id, outcome])).toEqual([
      ["damaged", "unreadable"],
      ["empty", "discarded"],
      ["torn", "discarded"],
    ]);
    expect(readdirSync(journals).sort()).toEqual(["damaged.broken", "lock"]);
    expect(readdirSync(root).sort()).toEqual(["a", "b", "c", "d"]);
  });
});

describe("what is to be done", () => {
  test.each<[readonly FoundState[], string]>([
    [["old", "old"], "untouched"],
    [["new", "new"], "finished"],
    [["new", "old"], "roll-back 0"],
    [["old", "new", "new"], "roll-back 1 2"],
    [["other", "old"], "untouched"],
    [["other", "new"], "finished"],
    [["new", "other", "old"], "roll-back 0"],
    [["other"], "untouched"],
  ])("about %j: %s", (states, what) => {
    const verdict = verdictOf(states);
    expect(verdict.kind === "roll-back" ? `roll-back ${verdict.restore.join(" ")}` : verdict.kind).toBe(what);
  });
});

test("a journal is read as it was written, whatever bytes it holds", () => {
  const old = { sha256: "1", mode: 0o640, owner: { uid: 1, gid: 2 }, size: 4 };
  const journal = {
    id: "x",
    changes: [
      { key: "ä/b", temp: "ä/t", old, now: { sha256: "2", mode: null } },
      { key: "n", temp: "t", old: null, now: { sha256: "3", mode: 0o644 } },
      { key: "gone", temp: null, old: { ...old, size: 2 }, now: null },
    ],
    folders: ["ä", "ä/b"],
    old: ["\n\xff\0a", "\r\n"],
  };
  expect(readJournal(Buffer.from(writeJournal(journal)).toString("latin1"))).toEqual(journal);
  expect(readJournal("something else".repeat(100))).toBe("broken");
});
