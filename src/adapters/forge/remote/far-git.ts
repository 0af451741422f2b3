import { PawlError } from "../../../domain/errors.ts";
import type { Commit } from "../../../domain/names.ts";
import type { GitResult } from "../../../ports/system.ts";
import { notHome } from "../candidate.ts";
import { atHome, type Hands } from "../refs.ts";
import type { Api } from "./api.ts";

/** What one call works with: the user's repository, in which all comparing is done, and the forge. */
export interface Reach {
  /** its far end is the user's repository itself: commits are brought there first */
  readonly hands: Hands;
  readonly api: Api;
  readonly gitUrl: string;
  readonly pullUrl: string;
  /** bases, and the tip that their ref was set to last */
  readonly tracked: Map<string, Commit>;
}

/** Where a base is kept as the forge had it last. */
export const trackedRef = (branch: string): string => `refs/pawl/forge/${branch}`;

/** The branches among these that the forge has now, in one question. Throws FORGE_UNREACHABLE, FORGE_DENIED. */
export async function readTips(reach: Reach, branches: readonly string[]): Promise<ReadonlyMap<string, Commit>> {
  const wanted = [...new Set(branches)];
  if (wanted.length === 0) return new Map();
  const patterns = wanted.length > MOST_NAMES ? ["refs/heads/*"] : wanted.map((branch) => `refs/heads/${branch}`);
  const result = await farGit(reach, ["ls-remote", "--quiet", reach.gitUrl, ...patterns]);
  if (result.code !== 0) throw away(reach, result);
  const names = new Set(wanted.map((branch) => `refs/heads/${branch}`));
  const rows = result.stdout.split("\n").map((line) => line.split("\t") as [string, string?]);
  return new Map(
    rows.flatMap(([commit, ref]) => (ref && names.has(ref) ? [[ref.slice(HEADS.length), commit as Commit]] : [])),
  );
}
const HEADS = "refs/heads/";
/** with more of them the command line grows, and the whole list is no more */
const MOST_NAMES = 200;

/** Brings commits of far branches into the user's repository. No branch of theirs moves; a base is tracked. */
export async function fetchTips(
  reach: Reach,
  wanted: ReadonlyMap<string, Commit>,
  { track = null }: { track?: string | null } = {},
): Promise<void> {
  const missing = await notHome(reach.hands, wanted);
  if (missing.length > 0) {
    const fetched = await farGit(reach, [...FETCH, reach.gitUrl, ...missing.map((branch) => `${HEADS}${branch}`)]);
    const [still] = await notHome(reach.hands, wanted);
    if (still !== undefined) throw away(reach, fetched, `${still} was not fetched: `);
  }
  const tip = track === null ? undefined : wanted.get(track);
  if (tip !== undefined && reach.tracked.get(track!) !== tip) await keep(reach, track!, tip);
}

/** By a ref of ours it is safe from gc; a name in the way (`a` beside `a/b`) costs that, nothing else. */
async function keep({ hands, tracked }: Reach, branch: string, tip: Commit): Promise<void> {
  await atHome(hands, ["update-ref", "-m", "pawl: seen at the forge", trackedRef(branch), tip]);
  tracked.set(branch, tip);
}
const FETCH = [
  ...["fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head"],
  ...["--no-recurse-submodules", "--no-auto-maintenance"],
];

/** Compare-and-swap of a branch at the forge (`from` null: create). The answer is git's; null: it moved. */
export async function pushBranch(
  reach: Reach,
  { branch, from, to }: { branch: string; from: Commit | null; to: Commit },
): Promise<string | null> {
  const ref = `${HEADS}${branch}`;
  const lease = `--force-with-lease=${ref}:${from ?? ""}`;
  const { code, stdout, stderr } = await farGit(reach, [...PUSH, lease, reach.gitUrl, `${to}:${ref}`]);
  return code === 0 ? null : (stderr + stdout).trim();
}
const PUSH = ["push", "--porcelain", "--no-follow-tags", "--no-signed", "--recurse-submodules=no"];

/**
 * Git with the forge, in the user's repository. The token is a header for that host, handed over in the environment:
 * it is in no argument, no file and no URL. No helper is asked for another one, and none may keep it.
 */
async function farGit({ hands, api, gitUrl }: Reach, args: readonly string[]): Promise<GitResult> {
  const { origin } = new URL(gitUrl);
  const settings = [
    [`http.${origin}/.extraHeader`, api.gitHeader()],
    ["credential.helper", ""],
    ["core.askPass", ""],
    ["protocol.file.allow", "never"],
    ["protocol.ext.allow", "never"],
  ];
  const pairs = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key!],
    [`GIT_CONFIG_VALUE_${i}`, value!],
  ]);
  const env = { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
  return atHome(hands, args, { env });
}

/** Git could not speak with the forge: rights, or the way there. */
function away({ api, gitUrl }: Reach, { stderr }: GitResult, what = ""): PawlError {
  const words = `${what}git cannot read ${gitUrl}: ${stderr.trim().slice(-500) || "it said nothing"}`;
  if (!isDenied(stderr)) return new PawlError("FORGE_UNREACHABLE", words, { retryable: true });
  return new PawlError("FORGE_DENIED", words, { next: `see what the token for ${api.name} may do` });
}

export const isDenied = (said: string): boolean =>
  /Authentication failed|could not read Username|returned error: 40[134]|Repository not found|denied to/i.test(said);
export const isAway = (said: string): boolean =>
  /unable to access|Could not resolve|Failed to connect|timed out|returned error: (5\d\d|429)|early EOF|hung up/i.test(
    said,
  );
