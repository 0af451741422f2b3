import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git, repository, scratch, write } from "./scratch.ts";

test("the tests' git gives whole texts, whatever is in them, and throws with what git said", () => {
  const big = "it's\n\\n $(id) ä\n".repeat(50_000);
  const { repo } = repository({ "it's ä.txt": big, "end.txt": "x\n\n" });
  expect(git(repo, "show", "HEAD:it's ä.txt")).toBe(big.replace(/\n$/, ""));
  expect(git(repo, "show", "HEAD:end.txt")).toBe("x\n");
  expect(git(repo, "ls-files", "-z")).toBe("end.txt\0it's ä.txt\0");
  write(repo, { "end.txt": "y\n" });
  git(repo, "commit", "-qam", "two\nlines 'quoted'");
  expect(git(repo, "log", "-1", "--format=%B")).toBe("two\nlines 'quoted'\n");
  expect(() => git(repo, "rev-parse", "--verify", "nothing")).toThrow(/Command failed: git rev-parse.*\nfatal: Needed/);
  expect(() => git(join(scratch(), "gone"), "status")).toThrow(/gone/);
  expect(git(repo, "rev-list", "--count", "HEAD")).toBe("2");
  rmSync(repo, { recursive: true });
  expect(() => git(repo, "status")).toThrow();
});
