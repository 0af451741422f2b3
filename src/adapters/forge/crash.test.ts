import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ForgeWorld, permit, url } from "../../../test/contracts/forge.contract.ts";
import { commitOn } from "../../../test/support/commits.ts";
import { landable, readyToLand } from "../../../test/support/forge-steps.ts";
import { localWorld, pullsOf } from "../../../test/support/local-forge.ts";
import { program } from "../../../test/support/program.ts";
import { git, scratch } from "../../../test/support/scratch.ts";
import { testGit } from "../../../test/support/test-git.ts";
import type { ForgeTrace } from "../../ports/forge.ts";
import type { Git } from "../../ports/system.ts";
import { createLocalForge } from "./local.ts";

/** What anybody can see; a blob that no ref names is nothing yet. */
const WRITES = new Set(["push", "update-ref", "merge"]);

/** Git in a process that dies right after its n-th write: the outside was touched, and nobody hears of it. */
function dyingGit(n: number): { git: Git; dead: () => boolean } {
  const git = testGit();
  let writes = 0;
  const run: Git["run"] = async (args, options) => {
    if (writes === n) throw new Error("dead");
    const result = await git.run(args, options);
    if (args.some((arg) => WRITES.has(arg)) && ++writes === n) throw new Error("dead");
    return result;
  };
  return { git: { ...git, run }, dead: () => writes === n };
}

/** How often a ref at the far end ever moved: its log itself, because `git reflog` shows none of a blob. */
const moves = (far: string, ref: string): number =>
  readFileSync(join(git(far, "rev-parse", "--absolute-git-dir"), "logs", ref), "utf8")
    .trimEnd()
    .split("\n").length;

describe.each([
  ["with a bare origin", true],
  ["where the user stands on the base", false],
])("a processor that dies after any write, %s", (_, origin) => {
  it("finds what was done, does the rest, and each branch and pull request moved once", async () => {
    const root = scratch();
    const world = localWorld({ origin, onBase: true, at: join(root, "0") });
    const { publish, open, ready, land, head, commit } = await readyToLand({
      ...world,
      forge: recorder(root, world.forge),
    });
    const steps: readonly (readonly [number, ForgeTrace, string, number])[] = [
      [0, publish, "refs/heads/pawl/task-1", 1],
      [1, open, "refs/pawl/pr/1", 1],
      [2, ready, "refs/pawl/pr/1", 2],
      [4, land, `refs/heads/${world.base}`, origin ? 1 : 2],
    ];
    let points = 0;
    for (const [before, intent, ref, moved] of steps) {
      for (let n = 1; ; n++) {
        const at = join(scratch(), "w");
        cpSync(join(root, `before-${before}`), at, { recursive: true });
        const repo = join(at, "repo");
        const far = origin ? join(at, "origin.git") : repo;
        const { git: dying, dead } = dyingGit(n);
        const first = createLocalForge({ repo, git: dying });
        await first.perform(intent, "Why", permit).catch(() => "dead");
        if (!dead()) break;
        points++;
        const next = createLocalForge({ repo, git: testGit() });
        const found = await next.find(intent, permit);
        if (found.kind === "absent") expect(await next.perform(intent, "Why", permit)).toMatchObject({ kind: "done" });
        expect(await next.find(intent, permit)).toMatchObject({ kind: "done" });
        expect([intent.kind, n, moves(far, ref)]).toEqual([intent.kind, n, moved]);
        if (intent.kind !== "land") continue;
        expect(git(far, "rev-parse", world.base)).toBe(commit);
        expect(pullsOf(far)).toMatchObject([{ state: "merged", head, merged: commit }]);
        expect(git(repo, "status", "--porcelain")).toBe("");
      }
    }
    expect(points).toBeGreaterThanOrEqual(6);
  }, 60_000);
});

/** A forge that keeps a copy of the world before each of its steps. */
function recorder(root: string, forge: ReturnType<typeof createLocalForge>): ReturnType<typeof createLocalForge> {
  let n = 0;
  const copy = () => cpSync(join(root, "0"), join(root, `before-${n++}`), { recursive: true });
  return {
    ...forge,
    perform: async (intent, body, may) => {
      copy();
      const result = await forge.perform(intent, body, may);
      if (intent.kind === "prepare-merge") copy();
      return result;
    },
  };
}

describe.each([
  ["with a bare origin", true],
  ["in the repository itself", false],
])("somebody who comes between our look and our write, %s", (_, origin) => {
  /** A forge whose git is overtaken right before it writes. */
  const overtaken = (world: ForgeWorld, overtake: () => Promise<void>) => {
    const real = testGit();
    const run: Git["run"] = async (args, options) => {
      const writes =
        args.includes("push") || (args.includes("update-ref") && args.some((arg) => arg.startsWith("refs/heads/")));
      if (writes) await overtake();
      return real.run(args, options);
    };
    return createLocalForge({ repo: world.repo, git: { ...real, run } });
  };

  it("keeps the branch: what we meant to publish is refused with what is there", async () => {
    const { world, head, wish } = await landable({ origin });
    const next = commitOn(world.repo, head, { "mine.txt": "1\n" });
    const theirs = commitOn(world.repo, head, { "theirs.txt": "1\n" });
    const forge = overtaken(world, () => world.move("pawl/task-1", theirs));
    expect(await forge.perform(wish.publish(head, next), null, permit)).toMatchObject({
      code: "head-moved",
      actual: theirs,
    });
    expect(await world.tip("pawl/task-1")).toBe(theirs);
  });

  it("keeps the base: what we meant to land is refused with what is there", async () => {
    const { world, land, pr } = await landable({ origin });
    const theirs = commitOn(world.repo, "main", { "theirs.txt": "1\n" });
    const forge = overtaken(world, () => world.move("main", theirs));
    expect(await forge.perform(land, null, permit)).toMatchObject({ code: "tip-moved", actual: theirs });
    expect(await world.tip("main")).toBe(theirs);
    expect(await world.pulls("pawl/task-1")).toMatchObject([{ url: pr, state: "open" }]);
  });
});

describe("two processors on one far end", () => {
  it.each([
    ["with a bare origin", true],
    ["in the repository itself", false],
  ])("that do the same side by side have each effect once, %s", async (_, origin) => {
    const root = scratch();
    const model = localWorld({ origin, at: root });
    cpSync(join(root, "repo"), join(root, "copy", "repo"), { recursive: true });
    if (origin) cpSync(join(root, "origin.git"), join(root, "copy", "origin.git"), { recursive: true });
    const { publish, open, ready, land, head, commit } = await readyToLand(model);
    const repo = join(root, "copy", "repo");
    const far = origin ? join(root, "copy", "origin.git") : repo;
    git(repo, "fetch", "-q", join(root, "repo"), `${head}:refs/test/head`, `${commit}:refs/test/candidate`);

    const intents = [publish, open, ready, land];
    const ends = await race([
      { repo, intents },
      { repo, intents },
    ]);
    expect(ends).toEqual([
      ["done", "done", "done", "done"],
      ["done", "done", "done", "done"],
    ]);
    expect(moves(far, "refs/heads/pawl/task-1")).toBe(1);
    expect(moves(far, "refs/pawl/pr/1")).toBe(3);
    expect(moves(far, "refs/heads/main")).toBe(origin ? 1 : 2);
    expect(pullsOf(far)).toMatchObject([{ state: "merged", merged: commit }]);
  });

  it("that open pull requests for different branches give each a number of its own", async () => {
    const world = localWorld({ origin: false });
    const names = ["a", "b", "c", "d", "e"];
    const intents = names.map((name) => {
      const head = commitOn(world.repo, "main", { [name]: "1\n" });
      git(world.repo, "branch", name, head);
      return {
        kind: "open-pr",
        key: `${name}/1/open-pr/1`,
        task: name,
        branch: name,
        base: "main",
        head,
        title: name,
        body: "",
      };
    }) as unknown as ForgeTrace[];
    const results = await Promise.all(intents.map((intent) => world.another().perform(intent, "Why", permit)));
    expect(results.map(url).sort()).toEqual([1, 2, 3, 4, 5].map((n) => `pawl://pr/${n}`));
    expect(
      pullsOf(world.repo)
        .map(({ branch }) => branch)
        .sort(),
    ).toEqual(names);
  });
});

async function race(runs: readonly { repo: string; intents: readonly ForgeTrace[] }[]): Promise<readonly string[][]> {
  const racers = await Promise.all(runs.map((run) => program("test/support/forge-racer.ts", [JSON.stringify(run)])));
  for (const racer of racers) expect(await racer.line()).toBe("ready");
  for (const racer of racers) racer.tell("go");
  return Promise.all(racers.map(async (racer) => JSON.parse((await racer.line()) ?? "null") as string[]));
}
