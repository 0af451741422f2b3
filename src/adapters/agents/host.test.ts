import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { house } from "../../../test/support/host.ts";
import { git } from "../../../test/support/scratch.ts";

describe("a worker that behaves", () => {
  it("works in a worktree of its own, and its work is committed by name and pinned", async () => {
    const { repo, parts, through } = await house();
    const end = await through({});
    expect(end).toMatchObject({
      how: "verdict",
      verdict: "PASS",
      findings: [],
      usage: { microUsd: 250_000, tokens: 1200, spawns: 1 },
      usageKnown: true,
      change: { commits: 1, files: 1, added: 1, deleted: 0 },
    });
    expect(end.head).toBe(git(repo, "rev-parse", "pawl/task-1"));
    expect(git(repo, "rev-parse", "refs/pawl/run/task-1/1/1")).toBe(end.head);
    expect(git(repo, "log", "-1", "--format=%B", "pawl/task-1").trim()).toBe("Work of task-1\n\nPawl-Run: task-1/1/1");
    expect(existsSync(join(parts.worktreeRoot, "task-1", "src/a.txt"))).toBe(true);
    expect(end.change?.patchId).toBe(
      git(repo, "-c", "alias.p=!git diff main pawl/task-1 | git patch-id --stable", "p").split(" ")[0],
    );
  });
});
