import { PawlError } from "../../../domain/errors.ts";
import type { EffectResult, Made } from "../../../domain/input.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Forge, ForgeIntent, ForgeTrace } from "../../../ports/forge.ts";
import type { Permit } from "../../../ports/permit.ts";
import type { Git } from "../../../ports/system.ts";
import { later } from "../answers.ts";
import { containedIn } from "../contained.ts";
import { gitDirOf } from "../origin.ts";
import type { Hands } from "../refs.ts";
import type { Api } from "./api.ts";
import { fetchTips, type Reach, readTips } from "./far-git.ts";
import { createLook } from "./looking.ts";
import { findLanded, land, prepareMerge } from "./merge.ts";
import { isPublished, publish } from "./publish.ts";
import { findOpened, markReady, openPull, pullAt } from "./pull-request.ts";

export interface RemoteForgeOptions {
  /** absolute path of the user's main checkout */
  readonly repo: string;
  readonly git: Git;
  readonly api: Api;
  readonly clock?: Pick<Clock, "read">;
}

/**
 * A forge on another machine. Branches go over git, all else over its API; comparing is done in the user's repository,
 * where no branch moves by it. What it keeps in memory is only to ask less. A merge is prepared here and made there.
 */
export function createRemoteForge(options: RemoteForgeOptions): Forge {
  const now = () => options.clock?.read().wall ?? Date.now();
  const reachFor = createReach(options, now);
  const look = createLook();
  return {
    async find(intent, permit) {
      try {
        const made = await find(await reachFor(permit), intent);
        return made === null ? { kind: "absent" } : { kind: "done", made };
      } catch (error) {
        return { kind: "unknown", why: error instanceof Error ? error.message : String(error) };
      }
    },
    async perform(intent, body, permit) {
      if (permit.signal.aborted) return later("processor", "the time for it was over before it began", null);
      try {
        return await perform(await reachFor(permit), intent, body);
      } catch (error) {
        return waitFor(error, now());
      }
    },
    async branches(questions, permit) {
      try {
        return await look(await reachFor(permit), questions);
      } catch (error) {
        const until = limitIn(error);
        if (until === null) throw error;
        return { seen: [], againAfterMs: Math.max(1_000, until - now()) };
      }
    },
    async contains(base, commits, permit) {
      const reach = await reachFor(permit);
      const asked = [...new Set(commits)].filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
      const tip = (await readTips(reach, [base])).get(base);
      if (tip === undefined || asked.length === 0) return new Set();
      await fetchTips(reach, new Map([[base, tip]]), { track: base });
      return containedIn(reach.hands, tip, asked);
    },
  };
}

function perform(reach: Reach, intent: ForgeIntent, body: string | null): Promise<EffectResult> {
  switch (intent.kind) {
    case "publish":
      return publish(reach, intent);
    case "open-pr":
      return openPull(reach, intent, body ?? "");
    case "mark-ready":
      return markReady(reach, intent);
    case "prepare-merge":
      return prepareMerge(reach, intent);
    case "land":
      return land(reach, intent);
  }
}

/** What an intent of an earlier life left; null: nothing. */
async function find(reach: Reach, intent: ForgeTrace): Promise<Made | null> {
  switch (intent.kind) {
    case "publish":
      return (await isPublished(reach, intent)) ? { what: "nothing" } : null;
    case "open-pr": {
      const one = await findOpened(reach, intent);
      return one && { what: "pr", url: one.url };
    }
    case "mark-ready": {
      const state = (await pullAt(reach, intent))?.state;
      return state === "open" || state === "merged" ? { what: "pr", url: intent.pr } : null;
    }
    case "land": {
      const commit = await findLanded(reach, intent);
      return commit && { what: "merge", commit, onBase: true };
    }
  }
}

/** A read that failed before anything was written: certainly not done. Everything else is for the caller to doubt. */
function waitFor(error: unknown, now: number): EffectResult {
  if (!(error instanceof PawlError)) throw error;
  switch (error.code) {
    case "FORGE_LIMITED":
      return later("forge", error.message, limitIn(error) ?? now + 60_000);
    case "FORGE_UNREACHABLE":
      return later("forge", error.message, now + 30_000);
    case "FORGE_DENIED":
      return later("human", error.next === null ? error.message : `${error.message}; ${error.next}`, now + 60_000);
    default:
      throw error;
  }
}

const limitIn = (error: unknown): number | null =>
  error instanceof PawlError && error.code === "FORGE_LIMITED" ? Number(error.data.until) : null;

/** Where the repository is, here and there, is asked once; as long as it cannot be found it is asked again. */
function createReach({ repo, git, api }: RemoteForgeOptions, now: () => number): (permit: Permit) => Promise<Reach> {
  const tracked: Reach["tracked"] = new Map();
  let known: (Awaited<ReturnType<Api["place"]>> & { gitDir: string }) | null = null;
  return async ({ signal }) => {
    known ??= { ...(await api.place(signal)), gitDir: await homeOf(git, repo, signal) };
    const far = { gitDir: known.gitDir, self: true, path: repo };
    const hands: Hands = { git, repo, far, signal, pulls: new Map(), now };
    return { hands, api, gitUrl: known.gitUrl, pullUrl: known.pullUrl, tracked };
  };
}

/** The git folder of the user's repository, whatever its remotes are. */
async function homeOf(git: Git, repo: string, signal: AbortSignal): Promise<string> {
  const found = await gitDirOf(git, repo, signal);
  if (found !== null) return found;
  throw new PawlError("FORGE_UNREACHABLE", `no git repository at ${repo}`, { next: "run pawl in a git repository" });
}
