import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, repository } from "../../../test/support/scratch.ts";
import type { Commit } from "../../domain/names.ts";
import { changeOf as changeAtForge } from "../forge/change.ts";
import { systemGit } from "../system/git.ts";
import { changeOf } from "./change.ts";

it("two texts that differ in a byte that is no UTF-8 have two patch ids, and host and forge give the same", async () => {
  const { repo } = repository({ "a.txt": "a\n" });
  const base = git(repo, "rev-parse", "HEAD") as Commit;
  const signal = AbortSignal.timeout(60_000);
  const ids = [0xe8, 0xe9].map(async (byte) => {
    git(repo, "checkout", "-q", "--detach", base);
    writeFileSync(join(repo, "a.txt"), Buffer.from([byte, 0x0a]));
    git(repo, "commit", "-qam", "latin");
    const head = git(repo, "rev-parse", "HEAD") as Commit;
    const far = { path: repo, gitDir: join(repo, ".git"), self: true };
    const hands = { git: systemGit(), repo, far, signal, pulls: new Map(), now: () => 0 };
    const here = (await changeOf({ git: systemGit(), repo, base, head, signal })).change;
    expect(await changeAtForge(hands, base, head)).toEqual(here);
    return here.patchId;
  });
  expect(new Set(await Promise.all(ids)).size).toBe(2);
});
