import type { EffectResult, Made } from "../../domain/input.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Forge, ForgeIntent, ForgeTrace } from "../../ports/forge.ts";
import type { Permit } from "../../ports/permit.ts";
import type { Git } from "../../ports/system.ts";
import { later } from "./answers.ts";
import { prepareMerge } from "./candidate.ts";
import { contained } from "./contained.ts";
import { readFar } from "./far-refs.ts";
import { unlessNoRoom } from "./full-disk.ts";
import { findLanded, land } from "./land.ts";
import { createLook } from "./looking.ts";
import { type FarEnd, findFarEnd } from "./origin.ts";
import { isPublished, publish } from "./publish.ts";
import { byKey, markReady, openPull } from "./pull-request.ts";
import { isOpen, type KnownBlobs, movePull, pullOf, urlOf } from "./pulls.ts";
import type { Hands } from "./refs.ts";

export interface LocalForgeOptions {
  /** absolute path of the user's main checkout */
  readonly repo: string;
  readonly git: Git;
  /** the folder of the task files, from the top of the repository; absent: nothing is known of it */
  readonly backlog?: string;
  readonly clock?: Pick<Clock, "read">;
}

/**
 * The forge of a machine without one: branches and pull requests live in the origin, if its URL is a path here, else
 * in the repository itself. No other machine is ever contacted. Everything it knows lies at the far end; what it keeps
 * in memory is only to look faster, and any number of processes may use one far end side by side.
 *
 * Throws GIT_TOO_OLD when a merge is prepared with git before 2.38. A person closes a pull request with
 * `git update-ref -d refs/pawl/pr/N` at the far end, and merges one by merging its branch into the base.
 */
export function createLocalForge(options: LocalForgeOptions): Forge {
  const handsFor = createHands(options);
  const look = createLook();
  const now = nowOf(options);
  return {
    async find(intent, permit) {
      try {
        const made = await find(await handsFor(permit), intent);
        return made === null ? { kind: "absent" } : { kind: "done", made };
      } catch (error) {
        return { kind: "unknown", why: text(error) };
      }
    },
    async perform(intent, body, permit) {
      if (permit.signal.aborted) return later("processor", "the time for it was over before it began", null);
      let hands: Hands;
      try {
        hands = await handsFor(permit);
      } catch (error) {
        return later("forge", text(error), now() + 30_000);
      }
      return perform(hands, intent, body);
    },
    branches: async (questions, permit) => look(await handsFor(permit), questions),
    contains: async (base, commits, permit) => contained(await handsFor(permit), base, commits),
  };
}

/** Closes a pull request by hand. False: there is none of that URL, or it is not open. */
export async function closePullRequest(options: LocalForgeOptions, url: string): Promise<boolean> {
  const signal = new AbortController().signal;
  const hands = await createHands(options)({ epoch: 0, signal });
  const one = (await readFar(hands, [])).pulls.find(({ pull }) => urlOf(pull.number) === url);
  return one !== undefined && isOpen(one.pull) && movePull(hands, one, { state: "closed" });
}

function perform(hands: Hands, intent: ForgeIntent, body: string | null): Promise<EffectResult> {
  switch (intent.kind) {
    case "publish":
      return publish(hands, intent);
    case "open-pr":
      return openPull(hands, intent, body ?? "").catch((error) => unlessNoRoom(hands, error));
    case "mark-ready":
      return markReady(hands, intent).catch((error) => unlessNoRoom(hands, error));
    case "prepare-merge":
      return prepareMerge(hands, intent).catch((error) => unlessNoRoom(hands, error));
    case "land": // what is thrown may have landed: in doubt
      return land(hands, intent);
  }
}

/** What an intent of an earlier life left; null: nothing. */
async function find(hands: Hands, intent: ForgeTrace): Promise<Made | null> {
  switch (intent.kind) {
    case "publish":
      return (await isPublished(hands, intent)) ? { what: "nothing" } : null;
    case "open-pr": {
      const one = byKey(await readFar(hands, []), intent);
      return one && { what: "pr", url: urlOf(one.pull.number) };
    }
    case "mark-ready": {
      const state = pullOf((await readFar(hands, [])).pulls, intent)?.pull.state;
      return state === "open" || state === "merged" ? { what: "pr", url: intent.pr } : null;
    }
    case "land": {
      const commit = await findLanded(hands, intent);
      return commit && { what: "merge", commit, onBase: true };
    }
  }
}

/** The far end is looked for once; as long as it cannot be found it is looked for again. */
function createHands(options: LocalForgeOptions): (permit: Permit) => Promise<Hands> {
  const { repo, git, backlog } = options;
  const pulls: KnownBlobs = new Map();
  let known: FarEnd | null = null;
  return async ({ signal }) => {
    known ??= await findFarEnd(git, repo, signal);
    return { git, repo, far: known, signal, pulls, now: nowOf(options), ...(backlog === undefined ? {} : { backlog }) };
  };
}

const nowOf =
  ({ clock }: LocalForgeOptions) =>
  (): number =>
    clock?.read().wall ?? Date.now();
const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));
