import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkoutIn } from "../../test/support/checkout.ts";
import { git, repository, write } from "../../test/support/scratch.ts";
import { patchOf } from "../workspace/git/diff.ts";
import { addedLines, filesOfPatch } from "./added-lines.ts";

const NAMES = [
  "plain.txt",
  "with space.txt",
  "Auftr\u00e4ge/\u00fc.txt",
  'q"uote.txt',
  "tab\there.txt",
  "new\nline.txt",
  "back\\303\\274slash.txt",
  "a b/b/a b.txt",
  "\u{1f600}.txt",
  "\x01\x07.txt",
];
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const OLD = ["one", "", "three", "@@ -1 +1 @@", "five", "", "seven", "eight", "nine", "", "eleven"];
const NEW = [
  "one",
  "",
  "+three",
  "@@ -1 +1 @@",
  "five",
  "",
  "diff --git a/x b/x",
  "eight",
  "",
  "",
  "eleven",
  "-- twelve",
];
const ADDED = [3, 7, 9, 12];

async function added(repo: string, from: string) {
  return addedLines(await patchOf(await checkoutIn(repo), { of: "commits", from, to: git(repo, "rev-parse", "HEAD") }));
}

test("the lines that a commit adds are found in files of every name", async () => {
  const { repo } = repository(Object.fromEntries(NAMES.map((name) => [name, text(OLD)])));
  const from = git(repo, "rev-parse", "HEAD");
  write(repo, Object.fromEntries(NAMES.map((name) => [name, text(NEW)])));
  git(repo, "commit", "-qam", "change");
  const found = await added(repo, from);
  expect(Object.fromEntries([...found].map(([path, lines]) => [path, [...lines]]))).toEqual(
    Object.fromEntries(NAMES.map((name) => [name, ADDED])),
  );
});

test("a user's own diff settings change nothing", async () => {
  const { repo } = repository({ "a.txt": text(OLD) });
  const from = git(repo, "rev-parse", "HEAD");
  for (const [name, value] of [
    ["diff.suppressBlankEmpty", "true"],
    ["diff.noprefix", "true"],
    ["diff.interHunkContext", "20"],
    ["core.quotePath", "false"],
    ["diff.srcPrefix", "before/"],
    ["diff.dstPrefix", "after/"],
  ] as const)
    git(repo, "config", name, value);
  write(repo, { "a.txt": text(NEW), "\u00fc.txt": "1\n" });
  git(repo, "add", "--all");
  git(repo, "commit", "-qm", "change");
  const found = await added(repo, from);
  expect([...(found.get("a.txt") ?? [])]).toEqual(ADDED);
  expect([...(found.get("\u00fc.txt") ?? [])]).toEqual([1]);
});

test("new, deleted, binary, moved, empty files, no final newline, Windows line ends", async () => {
  const { repo } = repository({ "gone.txt": "1\n", "old.txt": text(OLD), "b.bin": "\0a", "crlf.txt": "a\r\nb\r\n" });
  const from = git(repo, "rev-parse", "HEAD");
  rmSync(join(repo, "gone.txt"));
  git(repo, "mv", "old.txt", "moved.txt");
  write(repo, { "new.txt": "1\n2", "empty.txt": "", "b.bin": "\0b", "crlf.txt": "a\r\nc\r\nd" });
  git(repo, "add", "--all");
  git(repo, "commit", "-qm", "change");
  const patch = await patchOf(await checkoutIn(repo), { of: "commits", from, to: git(repo, "rev-parse", "HEAD") });
  expect(Object.fromEntries([...filesOfPatch(patch)].map(([path, { change }]) => [path, change]))).toEqual({
    "b.bin": "modified",
    "crlf.txt": "modified",
    "empty.txt": "created",
    "gone.txt": "deleted",
    "moved.txt": "created",
    "new.txt": "created",
    "old.txt": "deleted",
  });
  const found = Object.fromEntries([...addedLines(patch)].map(([path, lines]) => [path, [...lines]]));
  expect(found).toEqual({
    "b.bin": [],
    "crlf.txt": [2, 3],
    "empty.txt": [],
    "gone.txt": [],
    "moved.txt": OLD.map((_, i) => i + 1),
    "new.txt": [1, 2],
    "old.txt": [],
  });
});
