import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkoutIn } from "../../../test/support/checkout.ts";
import { git, repository, scratch, write } from "../../../test/support/scratch.ts";
import { fileLocks } from "../../adapters/store/file-lock.ts";
import { copyFile } from "../../adapters/system/copy-file.ts";
import type { Files } from "../../ports/files.ts";
import { openShadow } from "../git/shadow.ts";
import { guarded } from "./guard.ts";

const HOUR_MS = 3_600_000;
const lock = fileLocks();

/** Files that all changed an hour before they did: nothing counts as fresh, so that one look after another is a quick one. */
const older = (files: Files): Files => ({
  ...files,
  stat: (path) => ({ ...files.stat(path), changedMs: files.stat(path).changedMs - HOUR_MS }),
});

async function guard(files: Record<string, string>) {
  const { repo } = repository(files);
  const calls: string[] = [];
  const on = await checkoutIn(repo);
  const counted = {
    ...on.git,
    run: (args: readonly string[], options: Parameters<typeof on.git.run>[1]) => {
      calls.push(args.find((word) => !word.startsWith("-"))!);
      return on.git.run(args, options);
    },
  };
  const shadow = openShadow({ ...on, files: older(on.files), git: counted }, { copy: copyFile, lock });
  onTestFinished(() => shadow.close());
  const parts = { shadow, scope: () => "nothing may be written", quarantineDir: join(scratch(), "q") };
  const run = async (work: () => void) => {
    const { scope } = await guarded(parts, async () => work());
    return { putBack: scope.putBack, made: scope.quarantined.map(({ path }) => path) };
  };
  await run(() => {});
  return { repo, run, calls };
}

test("where nothing changed, and files are few, a look runs no git and reads no file", async () => {
  const { repo, run, calls } = await guard({
    "src/a.ts": "1\n",
    "b.txt": "1\n",
    ".gitignore": "node_modules/\n*.log\n",
  });
  write(repo, { "node_modules/x/index.js": "", "logs/a.log": "" });
  mkdirSync(join(repo, "empty/inside"), { recursive: true });
  await run(() => {});
  calls.length = 0;
  expect(await run(() => {})).toEqual({ putBack: [], made: [] });
  expect(await run(() => write(repo, { "node_modules/y/index.js": "ignored" }))).toEqual({ putBack: [], made: [] });
  expect(calls).toEqual([]);
});

test("where nothing changed, and files are many, a look is one run of git that reads none of them", async () => {
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`many/${n}.txt`, "1\n"]));
  const { repo, run, calls } = await guard({ ...many, "b.txt": "1\n" });
  await run(() => {});
  calls.length = 0;
  expect(await run(() => {})).toEqual({ putBack: [], made: [] });
  expect(calls).toEqual(["diff-files", "diff-files"]);
  expect(await run(() => write(repo, { "many/7.txt": "other\n" }))).toEqual({ putBack: ["many/7.txt"], made: [] });
});

test.each<[string, (at: (path: string) => string) => void, { putBack?: string[]; made?: string[] }]>([
  ["in a folder with files", (at) => writeFileSync(at("src/new"), ""), { made: ["src/new"] }],
  ["in a folder that was empty", (at) => writeFileSync(at("empty/new"), ""), { made: ["empty/new"] }],
  [
    "deep in folders that were empty",
    (at) => writeFileSync(at("empty/inside/new"), ""),
    { made: ["empty/inside/new"] },
  ],
  ["beside what is ignored", (at) => writeFileSync(at("logs/new"), ""), { made: ["logs/new"] }],
  ["in a new folder", (at) => write(at("made"), { new: "" }), { made: ["made/new"] }],
  ["by a link", (at) => symlinkSync("/etc", at("src/link")), { made: ["src/link"] }],
  ["by a move", (at) => renameSync(at("b.txt"), at("logs/b")), { made: ["logs/b"], putBack: ["b.txt"] }],
  ["that hides itself", (at) => writeFileSync(at("src/.gitignore"), "*\n"), { made: ["src/.gitignore"] }],
  ["in place", (at) => appendFileSync(at("src/a.ts"), "2\n"), { putBack: ["src/a.ts"] }],
  ["in place, at its old time", (at) => sameTime(at("src/a.ts"), "9\n"), { putBack: ["src/a.ts"] }],
  ["in its bits", (at) => chmodSync(at("b.txt"), 0o600), { putBack: ["b.txt"] }],
  ["by being deleted", (at) => rmSync(at("src"), { recursive: true }), { putBack: ["src/a.ts"] }],
  ["in what is ignored", (at) => appendFileSync(at(".gitignore"), "src/\n"), { putBack: [".gitignore"] }],
])("a change %s is seen as well by a look after a quick one", async (_, work, expected) => {
  const { repo, run } = await guard({ "src/a.ts": "1\n", "b.txt": "1\n", ".gitignore": "node_modules/\n*.log\n" });
  write(repo, { "node_modules/x/index.js": "", "logs/a.log": "" });
  mkdirSync(join(repo, "empty/inside"), { recursive: true });
  await run(() => {});
  const status = git(repo, "status", "--porcelain");
  expect(await run(() => work((path) => join(repo, path)))).toEqual({ putBack: [], made: [], ...expected });
  expect(git(repo, "status", "--porcelain")).toBe(status);
  expect(await run(() => {})).toEqual({ putBack: [], made: [] });
});

function sameTime(path: string, text: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, text);
  utimesSync(path, atime, mtime);
}
