import { describe, expect, it } from "vitest";
import type { EffectResult } from "../../src/domain/input.ts";
import type { BlobHash, Commit, EffectKey, TaskId } from "../../src/domain/names.ts";
import type { BranchQuestion, Forge, ForgeIntent, ForgeTrace } from "../../src/ports/forge.ts";
import type { Permit } from "../../src/ports/permit.ts";
import { commitOn } from "../support/commits.ts";
import { long } from "../support/long.ts";
import { git } from "../support/scratch.ts";

/** A far end of its own, with one commit on `base`, and what people do there behind our back. */
export interface ForgeWorld {
  /** the user's repository: commits are made here */
  readonly repo: string;
  readonly base: string;
  readonly forge: Forge;
  /** as another process would have it: knows nothing but the far end */
  another(): Forge;
  tip(branch: string): Promise<Commit | null>;
  /** somebody moves or makes a branch, whatever was there */
  move(branch: string, to: Commit): Promise<void>;
  remove(branch: string): Promise<void>;
  pulls(branch: string): Promise<readonly { url: string; state: string; title: string; body: string }[]>;
  close(url: string): Promise<void>;
  /** a plain merge by a person */
  mergeByHand(branch: string): Promise<Commit>;
  /** brings a commit of the far end into `repo` */
  bringHome(branch: string): Promise<void>;
}

export const permit: Permit = { epoch: 1, signal: new AbortController().signal };
const TASK = "task-1" as TaskId;
const BRANCH = "pawl/task-1";
const key = (kind: string, n = 1): EffectKey => `${TASK}/1/${kind}/${n}` as EffectKey;
const of = <K extends string>(kind: K, n = 1) => ({ kind, key: key(kind, n), task: TASK });

export const intents = (base: string) => ({
  publish: (from: Commit | null, to: Commit) => ({ ...of("publish"), branch: BRANCH, from, to }),
  open: (head: Commit, title = "Search by colour", n = 1) => ({
    ...of("open-pr", n),
    branch: BRANCH,
    base,
    head,
    title,
    body: "sha256-0" as BlobHash,
  }),
  ready: (pr: string, head: Commit) => ({ ...of("mark-ready"), pr, branch: BRANCH, head }),
  prepare: (head: Commit, n = 1) => ({
    ...of("prepare-merge", n),
    branch: BRANCH,
    base,
    head,
    title: "Search by colour",
    trailer: `Pawl-Key: ${key("prepare-merge", n)}`,
  }),
  land: (pr: string, head: Commit, { tip, commit }: { tip: Commit; commit: Commit }) => ({
    ...of("land"),
    pr,
    branch: BRANCH,
    base,
    head,
    tip,
    candidate: commit,
  }),
});

export const url = (result: EffectResult): string => {
  if (result.kind === "done" && result.made.what === "pr") return result.made.url;
  throw new Error(`no pull request: ${JSON.stringify(result)}`);
};
export const candidate = (result: EffectResult): { tip: Commit; commit: Commit } => {
  if (result.kind === "done" && result.made.what === "candidate") return result.made;
  throw new Error(`no candidate: ${JSON.stringify(result)}`);
};
const refusal = (result: EffectResult) => (result.kind === "refused" ? result.code : result.kind);

/** What a forge has in common with another one that is tested so; a short run leaves that out. */
export interface Shares {
  /** what makes candidates */
  readonly candidates?: boolean;
  /** what says no, and looks */
  readonly answers?: boolean;
}

/** What every forge does. `make` is called once per case. */
export function forgeContract(label: string, make: () => Promise<ForgeWorld>, shares: Shares = {}): void {
  const ofCandidates: typeof long = shares.candidates ? long : it;
  const ofAnswers: typeof long = shares.answers ? long : it;
  describe(`forge: ${label}`, () => {
    const start = async () => {
      const world = await make();
      const wish = intents(world.base);
      const root = (await world.tip(world.base))!;
      const head = commitOn(world.repo, root, { "colour.txt": "red\n" }, "Add colours");
      const perform = (intent: ForgeIntent, body: string | null = null) => world.forge.perform(intent, body, permit);
      const find = (intent: ForgeTrace) => world.another().find(intent, permit);
      const question: BranchQuestion = { task: TASK, branch: BRANCH, base: world.base, pr: null };
      const state = async (pr: string | null) => {
        const { seen } = await world.forge.branches([{ ...question, pr }], permit);
        return seen[0]!.branch;
      };
      const opened = async () => {
        await perform(wish.publish(null, head));
        return url(await perform(wish.open(head), "Why"));
      };
      const readied = async () => {
        const pr = await opened();
        await perform(wish.ready(pr, head));
        return pr;
      };
      return { world, wish, root, head, perform, find, state, opened, readied };
    };

    it("walks a branch from its first commit to a squash merge, and each step is found afterwards", async () => {
      const { world, wish, root, head, perform, find, state } = await start();
      const steps: { intent: ForgeTrace; made: unknown }[] = [];
      const step = async (intent: ForgeTrace) => {
        expect(await find(intent)).toEqual({ kind: "absent" });
        const result = await perform(intent, "Why");
        if (result.kind !== "done") throw new Error(JSON.stringify(result));
        expect(result.found).toBe(false);
        expect(await find(intent)).toEqual({ kind: "done", made: result.made });
        expect(await perform(intent, "Why")).toEqual({ ...result, found: true });
        steps.push({ intent, made: result.made });
        return result;
      };

      expect(await state(null)).toEqual({ head: null, change: null, pr: "none", merged: null });
      await step(wish.publish(null, head));
      expect(await world.tip(BRANCH)).toBe(head);
      expect(await state(null)).toMatchObject({ head, pr: "none", merged: null });
      expect((await state(null)).change).toMatchObject({ commits: 1, files: 1, added: 1, deleted: 0 });

      const pr = url(await step(wish.open(head)));
      expect(await state(pr)).toMatchObject({ head, pr: "draft" });
      await step(wish.ready(pr, head));
      expect(await state(pr)).toMatchObject({ head, pr: "open", merged: null });

      const made = candidate(await perform(wish.prepare(head)));
      expect(made.tip).toBe(root);
      const landed = await step(wish.land(pr, head, made));
      expect(landed.made).toMatchObject({ what: "merge", onBase: true });
      const merge = landed.made.what === "merge" ? landed.made.commit : null;
      expect(await world.tip(world.base)).toBe(merge);
      expect(await state(pr)).toMatchObject({ pr: "merged", merged: merge });
      await world.bringHome(world.base);
      expect(git(world.repo, "show", `${merge}:colour.txt`)).toBe("red");
      // one commit on the tip, or a merge of it
      expect(git(world.repo, "rev-parse", `${merge}^1`)).toBe(root);
      expect(git(world.repo, "rev-list", "--no-merges", "--count", `${root}..${merge}`)).toBe("1");

      for (const { intent, made } of steps) expect(await find(intent)).toEqual({ kind: "done", made });
    });

    ofCandidates("prepares the same candidate for the same head, tip and key, and moves nothing by it", async () => {
      const { world, wish, root, head, perform } = await start();
      await perform(wish.publish(null, head));
      const first = candidate(await perform(wish.prepare(head)));
      expect(candidate(await perform(wish.prepare(head)))).toEqual(first);
      expect(await world.tip(world.base)).toBe(root);
      expect(await world.tip(BRANCH)).toBe(head);
    });

    it("publishes only from the commit that it expects, and says what is there instead", async () => {
      const { world, wish, root, head, perform } = await start();
      const next = commitOn(world.repo, head, { "b.txt": "b\n" });
      const other = commitOn(world.repo, root, { "c.txt": "c\n" });
      await perform(wish.publish(null, head));
      expect(await perform(wish.publish(null, next))).toMatchObject({ code: "head-moved", actual: head });
      expect(await perform(wish.publish(root, next))).toMatchObject({ code: "head-moved", actual: head });
      expect(refusal(await perform(wish.publish(head, other)))).toBe("not-fast-forward");
      expect(await world.tip(BRANCH)).toBe(head);
      expect(await perform(wish.publish(head, next))).toMatchObject({ kind: "done", found: false });
    });

    ofAnswers("a publish counts as done where the branch has gone on since", async () => {
      const { world, wish, head, perform, find } = await start();
      await perform(wish.publish(null, head));
      await world.move(BRANCH, commitOn(world.repo, head, { "b.txt": "b\n" }));
      expect(await find(wish.publish(null, head))).toMatchObject({ kind: "done" });
    });

    it("opens no second pull request for a branch that has one", async () => {
      const { world, wish, head, perform, opened } = await start();
      const pr = await opened();
      const again = await world.another().perform(wish.open(head, "Other words", 2), "Why", permit);
      expect(again).toMatchObject({ kind: "done", found: true });
      expect(url(again)).toBe(pr);
      expect(url(await perform(wish.open(head), "Why"))).toBe(pr);
      expect(await world.pulls(BRANCH)).toHaveLength(1);
    });

    ofAnswers("opens no pull request for a branch without commits of its own", async () => {
      const { wish, root, perform } = await start();
      await perform(wish.publish(null, root));
      expect(refusal(await perform(wish.open(root), "Why"))).toBe("nothing-to-do");
    });

    ofAnswers("cuts a long title and a long body, and both say so", async () => {
      const { world, wish, head, perform } = await start();
      await perform(wish.publish(null, head));
      await perform(wish.open(head, "x".repeat(300)), "🙂".repeat(40_000));
      const [pull] = await world.pulls(BRANCH);
      expect(pull!.title.length).toBeLessThanOrEqual(256);
      expect(pull!.title).toMatch(/^x+… \[cut: \d+ characters more\]$/);
      expect(pull!.body.length).toBeLessThanOrEqual(60_000);
      expect(pull!.body).toMatch(/🙂… \[cut: \d+ characters more\]$/u);
      const kept = /cut: (\d+)/.exec(pull!.title)!;
      expect(pull!.title.indexOf("…") + Number(kept[1])).toBe(300);
    });

    it("closed by hand is seen, refuses what comes after, and a new one can be opened", async () => {
      const { world, wish, head, perform, state, readied } = await start();
      const pr = await readied();
      const made = candidate(await perform(wish.prepare(head)));
      await world.close(pr);
      expect(await state(pr)).toMatchObject({ head, pr: "closed", merged: null });
      expect(refusal(await perform(wish.ready(pr, head)))).toBe("closed");
      expect(refusal(await perform(wish.land(pr, head, made)))).toBe("closed");
      expect(await world.tip(world.base)).toBe(made.tip);
      const second = url(await perform(wish.open(head, "Again", 2), "Why"));
      expect(second).not.toBe(pr);
      expect(await state(second)).toMatchObject({ pr: "draft" });
    });

    it("merged by hand is seen, with its commit, and counts also when the branch is deleted", async () => {
      const { world, wish, head, perform, state, readied } = await start();
      const pr = await readied();
      const made = candidate(await perform(wish.prepare(head)));
      expect((await state(pr)).pr).toBe("open");
      const merge = await world.mergeByHand(BRANCH);
      expect(await state(pr)).toMatchObject({ pr: "merged", merged: merge });
      expect(refusal(await perform(wish.land(pr, head, made)))).not.toBe("done");
      expect(await world.tip(world.base)).toBe(merge);
      await world.remove(BRANCH);
      expect(await state(pr)).toMatchObject({ head: null, pr: "merged", merged: merge });
    });

    it("a pull request that was merged in an earlier life is none of this one's, though it has its key", async () => {
      const { world, wish, head, perform, find, state, readied } = await start();
      const pr = await readied();
      const landed = await perform(wish.land(pr, head, candidate(await perform(wish.prepare(head)))));
      if (landed.kind !== "done" || landed.made.what !== "merge") throw new Error(JSON.stringify(landed));
      await world.bringHome(world.base);
      const again = commitOn(world.repo, landed.made.commit, { "again.txt": "new work\n" }, "Again");
      await world.move(BRANCH, again);
      expect(await state(pr)).toMatchObject({ head: again, pr: "closed", merged: null });
      expect(await find(wish.open(again))).toEqual({ kind: "absent" });
      const second = url(await perform(wish.open(again), "Why"));
      expect(second).not.toBe(pr);
      expect(await state(second)).toMatchObject({ head: again, pr: "draft", merged: null });
    });

    it("lands nothing when the head moved, and says where it is", async () => {
      const { world, wish, head, perform, readied, root } = await start();
      const pr = await readied();
      const made = candidate(await perform(wish.prepare(head)));
      const pushed = commitOn(world.repo, head, { "evil.txt": "!\n" });
      await world.move(BRANCH, pushed);
      expect(await perform(wish.land(pr, head, made))).toMatchObject({ code: "head-moved", actual: pushed });
      expect(await perform(wish.prepare(head))).toMatchObject({ code: "head-moved", actual: pushed });
      expect(await world.tip(world.base)).toBe(root);
    });

    it("lands nothing on another tip, and the next candidate stands on it", async () => {
      const { world, wish, root, head, perform, readied } = await start();
      const pr = await readied();
      const made = candidate(await perform(wish.prepare(head)));
      const moved = commitOn(world.repo, root, { "other.txt": "o\n" });
      await world.move(world.base, moved);
      expect(await perform(wish.land(pr, head, made))).toMatchObject({ code: "tip-moved", actual: moved });
      expect(await world.tip(world.base)).toBe(moved);
      const again = candidate(await perform(wish.prepare(head, 2)));
      expect(again.tip).toBe(moved);
      expect(await perform(wish.land(pr, head, again))).toMatchObject({ kind: "done", found: false });
      await world.bringHome(world.base);
      expect(git(world.repo, "ls-tree", "--name-only", (await world.tip(world.base))!).split("\n")).toContain(
        "other.txt",
      );
    });

    ofAnswers("a draft does not land", async () => {
      const { world, wish, root, head, perform, opened } = await start();
      const pr = await opened();
      const made = candidate(await perform(wish.prepare(head)));
      expect(refusal(await perform(wish.land(pr, head, made)))).toBe("invalid");
      expect(await world.tip(world.base)).toBe(root);
    });

    ofAnswers("says that the branch is gone", async () => {
      const { world, wish, head, perform, readied, state } = await start();
      const pr = await readied();
      const made = candidate(await perform(wish.prepare(head)));
      const next = commitOn(world.repo, head, { "b.txt": "b\n" });
      await world.remove(BRANCH);
      expect(await state(pr)).toMatchObject({ head: null, merged: null });
      for (const intent of [wish.publish(head, next), wish.prepare(head), wish.land(pr, head, made)])
        expect(refusal(await perform(intent))).toBe("branch-gone");
    });

    ofAnswers("says that the base is gone", async () => {
      const { world, wish, head, perform } = await start();
      await perform(wish.publish(null, head));
      const gone = intents("release");
      expect(refusal(await perform(gone.open(head), "Why"))).toBe("base-gone");
      expect(refusal(await perform(gone.prepare(head)))).toBe("base-gone");
      expect(await world.forge.contains("release", [head], permit)).toEqual(new Set());
    });

    ofCandidates("names every file of a merge conflict, and the tip that it is with", async () => {
      const { world, wish, root, perform } = await start();
      const before = {
        "ä ö.txt": "1\n",
        "tab\there": "1\n",
        "moved.txt": "a\nb\nc\nd\ne\nf\n",
        "bin.dat": "\0\u0001\n",
      };
      const first = commitOn(world.repo, root, before);
      await world.move(world.base, first);
      const mine = { "ä ö.txt": "2\n", "tab\there": "2\n", "moved.txt": null, "renamed.txt": before["moved.txt"] };
      const head = commitOn(world.repo, first, { ...mine, "bin.dat": "\0\u0002\n" });
      const theirs = { "ä ö.txt": "3\n", "tab\there": "3\n", "moved.txt": null, "bin.dat": "\0\u0003\n" };
      const tip = commitOn(world.repo, first, theirs);
      await world.move(world.base, tip);
      await perform(wish.publish(null, head));
      const result = await perform(wish.prepare(head));
      expect(result).toMatchObject({ kind: "refused", code: "conflict", actual: tip });
      const files = result.kind === "refused" ? result.files : [];
      for (const file of ["ä ö.txt", "tab\there", "bin.dat", "renamed.txt"]) expect(files).toContain(file);
    });

    ofCandidates(
      "a branch that is on the base already was merged by hand: as it is, by a merge, or as one commit",
      async () => {
        const { world, wish, head, perform, readied } = await start();
        await readied();
        const byHand = await world.mergeByHand(BRANCH);
        expect(await perform(wish.prepare(head))).toMatchObject({
          kind: "done",
          made: { what: "merge", commit: byHand, onBase: true },
          found: true,
        });
        await world.move(world.base, head);
        expect(await perform(wish.prepare(head, 2))).toMatchObject({ made: { what: "merge", commit: head } });
      },
    );

    ofCandidates(
      "changes that the base has by another commit count as merged, with the tip that holds them",
      async () => {
        const { world, wish, root, head, perform } = await start();
        await perform(wish.publish(null, head));
        const squash = commitOn(world.repo, root, { "colour.txt": "red\n" }, "The same by another way");
        await world.move(world.base, squash);
        expect(await perform(wish.prepare(head))).toMatchObject({ made: { what: "merge", commit: squash } });
        const later = commitOn(world.repo, squash, { "later.txt": "more\n" }, "Later");
        await world.move(world.base, later);
        expect(await perform(wish.prepare(head, 2))).toMatchObject({ made: { what: "merge", commit: later } });
      },
    );

    ofCandidates("prepares nothing where the branch changes nothing", async () => {
      const { world, wish, root, head, perform } = await start();
      await perform(wish.publish(null, head));
      const undone = commitOn(world.repo, head, { "colour.txt": null }, "Undo");
      await perform(wish.publish(head, undone));
      await world.move(world.base, commitOn(world.repo, root, { "later.txt": "more\n" }, "Later"));
      expect(refusal(await perform(wish.prepare(undone)))).toBe("nothing-to-do");
    });

    ofAnswers("tells which commits the base holds now", async () => {
      const { world, root, head } = await start();
      const unknown = "1234567890123456789012345678901234567890" as Commit;
      expect(await world.forge.contains(world.base, [root, head, unknown], permit)).toEqual(new Set([root]));
      await world.move(world.base, head);
      expect(await world.forge.contains(world.base, [root, head, unknown], permit)).toEqual(new Set([root, head]));
      expect(await world.forge.contains(world.base, [], permit)).toEqual(new Set());
    });

    it("two clients that do the same at once have one effect", async () => {
      const { world, wish, head, find } = await start();
      const both = (intent: ForgeTrace) =>
        Promise.all([world.forge, world.another()].map((forge) => forge.perform(intent, "Why", permit)));
      const ends = async (intent: ForgeTrace) => {
        for (const result of await both(intent)) expect(["done", "later"]).toContain(result.kind);
        expect(await find(intent)).toMatchObject({ kind: "done" });
      };
      await ends(wish.publish(null, head));
      await ends(wish.open(head));
      const pulls = await world.pulls(BRANCH);
      expect(pulls).toHaveLength(1);
      const pr = pulls[0]!.url;
      await ends(wish.ready(pr, head));
      const made = candidate(await world.forge.perform(wish.prepare(head), null, permit));
      await ends(wish.land(pr, head, made));
      await world.bringHome(world.base);
      const brought = [`${made.tip}..${await world.tip(world.base)}`];
      expect(git(world.repo, "rev-list", "--first-parent", "--count", ...brought)).toBe("1");
    });
  });
}
