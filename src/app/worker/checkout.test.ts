import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { git, repository } from "../../../test/support/scratch.ts";
import { ownCheckout } from "./checkout.ts";

test("of many who begin one ticket at once each has its checkout, or is told that somebody else begins", async () => {
  const { repo } = repository({ "README.md": "x\n" });
  const begun = await Promise.allSettled(
    Array.from({ length: 6 }, () => ownCheckout({ repo, branch: "pawl/T", task: "T", base: "main" })),
  );
  const codes = begun.map((one) => (one.status === "fulfilled" ? "made" : Reflect.get(one.reason as object, "code")));
  expect(codes).toContain("made");
  expect(codes.filter((code) => code !== "made" && code !== "JOURNAL_HELD")).toEqual([]);
  expect(git(repo, "worktree", "list").split("\n")).toHaveLength(2);
});

test("a worktree that somebody deleted by hand is made again, with what was committed there", async () => {
  const { repo } = repository({ "README.md": "x\n" });
  const where = { repo, branch: "pawl/T", task: "T", base: "main" };
  const { folder, base } = await ownCheckout(where);
  git(folder, "commit", "--allow-empty", "-q", "-m", "half of it");
  rmSync(folder, { recursive: true });
  expect(await ownCheckout(where)).toEqual({ folder, base, branch: "pawl/T", remote: null });
  expect(git(folder, "log", "--format=%s")).toBe("half of it\nStart");
});

test("a base that is no commit is said before anything is made", async () => {
  const { repo } = repository({ "README.md": "x\n" });
  const begun = ownCheckout({ repo, branch: "pawl/T", task: "T", base: "nowhere" });
  await expect(begun).rejects.toMatchObject({ code: "BASE_MISSING" });
  expect(git(repo, "branch", "--list", "pawl/*")).toBe("");
});

test.each([
  ["switch", "-c", "mine"],
  ["switch", "--detach"],
])(
  "a worktree that somebody switched (git %s %s) is not worked in: its commits would be on another branch",
  async (...args) => {
    const { repo } = repository({ "README.md": "x\n" });
    const where = { repo, branch: "pawl/T", task: "T", base: "main" };
    const { folder } = await ownCheckout(where);
    git(folder, ...args);
    const next = expect.stringContaining("switch pawl/T, then the same command");
    await expect(ownCheckout(where)).rejects.toMatchObject({ code: "PLACE_MOVED", next });
  },
);
