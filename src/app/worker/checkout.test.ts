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
