import type { EffectResult } from "../../../domain/input.ts";
import type { Commit } from "../../../domain/names.ts";
import { cut, done, later, refused } from "../answers.ts";
import { BODY_LIMIT, headFault, type Open, type Ready, TITLE_LIMIT } from "../pull-request.ts";
import { atHome, output } from "../refs.ts";
import type { Draft, FarPull, No, Written } from "./api.ts";
import { doubt, lookAfter } from "./doubt.ts";
import { fetchTips, type Reach, readTips } from "./far-git.ts";

export const isOpen = ({ state }: FarPull): boolean => state === "draft" || state === "open";

/** Opens a draft, or finds the one that this effect, or this branch, already has. */
export async function openPull(reach: Reach, intent: Open, body: string): Promise<EffectResult> {
  const tips = await readTips(reach, [intent.branch, intent.base]);
  const mine = ofBranch(await reach.api.pullsOf(intent.branch, reach.hands.signal), intent);
  if (mine !== null) return made(mine.url, true);
  const fault = await openFault(reach, tips, intent);
  if (fault !== null) return fault;
  const written = await reach.api.create(draft(reach, intent, body), reach.hands.signal);
  if (written.kind === "ok") return made(written.value.url, false);
  if (written.kind !== "doubt" && !(written.kind === "no" && written.why === "exists")) return refusal(written);
  const there = await lookAfter(() => reach.api.pullsOf(intent.branch, reach.hands.signal));
  const found = ofBranch(there, intent);
  if (found !== null) return made(found.url, true);
  throw doubt(written.detail);
}

/** The pull request that an effect of an earlier life made; null: none. */
export const findOpened = async (reach: Reach, intent: Open): Promise<FarPull | null> =>
  byKey(await reach.api.pullsOf(intent.branch, reach.hands.signal), intent);

const ofBranch = (pulls: readonly FarPull[], intent: Open): FarPull | null =>
  byKey(pulls, intent) ?? pulls.findLast(isOpen) ?? null;

/** One that is over counts only with this very head: keys begin anew with a store that was lost. */
const byKey = (pulls: readonly FarPull[], { key, head }: Open): FarPull | null =>
  pulls.findLast((pull) => pull.body.startsWith(keyLine(key)) && (isOpen(pull) || pull.head === head)) ?? null;

/** The first line of a body or a comment of ours: nobody sees it, and by it what we wrote is found. */
export const keyLine = (key: string): string => `<!-- pawl-key: ${key} -->`;

const made = (url: string, found: boolean): EffectResult => done({ what: "pr", url }, found);

async function openFault(reach: Reach, tips: ReadonlyMap<string, Commit>, intent: Open): Promise<EffectResult | null> {
  const { branch, base, head } = intent;
  const fault = headFault({ tips }, intent);
  if (fault !== null) return fault;
  const tip = tips.get(base);
  if (tip === undefined) return refused("base-gone", `there is no branch ${base} to open it against`);
  await fetchTips(
    reach,
    new Map([
      [base, tip],
      [branch, head],
    ]),
    { track: base },
  );
  const count = atHome(reach.hands, ["rev-list", "--count", `${tip}..${head}`, "--"]);
  const ahead = await output(count, "count commits ahead");
  return Number(ahead) > 0 ? null : refused("nothing-to-do", `${branch} has no commits ahead of ${base}`);
}

function draft({ api }: Reach, { key, task, branch, base, title }: Open, body: string): Draft {
  const first = `${keyLine(key)}\n\n`;
  return {
    branch,
    base,
    title: cut(title.replace(/\s+/g, " ").trim() || task, Math.min(TITLE_LIMIT, api.titleLimit)),
    body: first + cut(body, BODY_LIMIT - first.length),
  };
}

/** draft -> open. */
export async function markReady(reach: Reach, intent: Ready): Promise<EffectResult> {
  const tips = await readTips(reach, [intent.branch]);
  const pull = await pullAt(reach, intent);
  if (pull === null || pull.state === "closed") return refused("closed", `${intent.pr} is closed`);
  if (pull.state !== "draft") return made(intent.pr, true);
  const fault = headFault({ tips }, intent);
  if (fault !== null) return fault;
  const written = await reach.api.ready(pull, reach.hands.signal);
  if (written.kind === "ok") return made(intent.pr, false);
  if (written.kind !== "doubt") return refusal(written);
  const now = await lookAfter(() => pullAt(reach, intent));
  if (now !== null && (now.state === "open" || now.state === "merged")) return made(intent.pr, true);
  throw doubt(written.detail);
}

/** The pull request of that URL, if it is still the one of that branch at this forge. */
export async function pullAt(
  { api, pullUrl, hands }: Reach,
  { pr, branch }: { pr: string; branch: string },
): Promise<FarPull | null> {
  const number = numberIn(pr, pullUrl);
  const pull = number === null ? null : await api.pull(number, hands.signal);
  return pull?.branch === branch ? pull : null;
}

/** Null: a URL of another forge or repository. Names of hosts and repositories have no case. */
export function numberIn(url: string, pullUrl: string): number | null {
  const rest = url.toLowerCase().startsWith(pullUrl.toLowerCase()) ? url.slice(pullUrl.length) : "";
  return /^[1-9]\d{0,9}$/.test(rest) ? Number(rest) : null;
}

/** A write that certainly did not happen, as the processor understands it. */
export function refusal(
  no: Extract<Written<unknown>, { kind: "no" | "later" }>,
  actual: Commit | null = null,
): EffectResult {
  if (no.kind === "later") return later(no.owner, no.detail, no.until);
  return refused(CODES[no.why], no.detail, { actual });
}
const CODES = {
  exists: "invalid",
  "nothing-to-do": "nothing-to-do",
  "base-gone": "base-gone",
  moved: "head-moved",
  conflict: "conflict",
  gone: "closed",
  invalid: "invalid",
  denied: "denied",
} as const satisfies Record<No, string>;
