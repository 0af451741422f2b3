import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch, write } from "../../../test/support/scratch.ts";
import type { HostParts } from "./parts.ts";
import { copyFiles } from "./run-folder.ts";

/** A main checkout, a worktree and its git folder. */
function place() {
  const [repo, path, gitDir] = [scratch(), scratch(), scratch()];
  return {
    repo,
    path,
    copy: (...names: string[]) => copyFiles(names, { path, gitDir, isNew: true }, { repo } as HostParts),
    gitDir,
  };
}

test("a copy into a worktree that was cut off is made whole the next time, and what a worker made of it stays", () => {
  const { repo, path, copy } = place();
  write(repo, { "kit/a.txt": "a", "kit/b/c.txt": "c", ".env": "KEY=1" });
  // what ends a copy in the middle: a pipe cannot be copied
  execFileSync("mkfifo", [join(repo, "kit/b/pipe")]);
  expect(() => copy("kit", ".env")).toThrow();
  expect(existsSync(join(path, "kit"))).toBe(true);
  rmSync(join(repo, "kit/b/pipe"));
  copy("kit", ".env");
  const read = (name: string) => readFileSync(join(path, name), "utf8");
  expect([read("kit/a.txt"), read("kit/b/c.txt"), read(".env")]).toEqual(["a", "c", "KEY=1"]);
  writeFileSync(join(path, "kit/a.txt"), "of the worker");
  rmSync(join(path, ".env"));
  copy("kit", ".env");
  expect([read("kit/a.txt"), read(".env")]).toEqual(["of the worker", "KEY=1"]);
});

test("nothing is taken away through a link, or that was not to be copied, whatever stands in the git folder", () => {
  const { repo, path, copy, gitDir } = place();
  const elsewhere = scratch();
  write(elsewhere, { "key.pem": "theirs" });
  write(repo, { "certs/key.pem": "ours" });
  symlinkSync(elsewhere, join(path, "certs"));
  mkdirSync(join(path, "own"));
  writeFileSync(join(gitDir, "pawl-copying.json"), JSON.stringify(["certs/key.pem", "own", "../x"]));
  copy("certs/key.pem");
  expect(readFileSync(join(elsewhere, "key.pem"), "utf8")).toBe("theirs");
  expect(existsSync(join(path, "own"))).toBe(true);
});
