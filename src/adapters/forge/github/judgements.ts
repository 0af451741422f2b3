import type { Commit } from "../../../domain/names.ts";
import type { Api } from "../remote/api.ts";
import type { Http } from "../remote/http.ts";
import { shapeOf, textOr } from "../remote/json.ts";
import type { Ask, Judgement } from "../remote/signals.ts";
import { MEMBERS } from "./members.ts";

/** a comment changes nothing of what its writer said before */
const VERDICTS: ReadonlySet<unknown> = new Set(["APPROVED", "CHANGES_REQUESTED", "DISMISSED"]);

/** The last review of each person, where it is of this head; GitHub lists them oldest first. */
export const judgementsOf =
  (http: Http, root: string): Ask<readonly Judgement[]> =>
  async (number, head, signal) => {
    const path = `${root}/pulls/${number}/reviews`;
    const reviews = (await http.list(`${path}?per_page=100`, signal)).map(reviewOf);
    const last = new Map<string, Review>();
    for (const review of reviews)
      if (review.commit === head && VERDICTS.has(review.state)) last.set(review.by.toLowerCase(), review);
    const standing = [...last.values()].filter(({ state }) => state !== "DISMISSED");
    return standing.map(({ state, ...review }) => ({
      ...review,
      verdict: state === "APPROVED" ? "approved" : "rejected",
    }));
  };

interface Review extends Pick<Judgement, "id" | "by" | "message" | "isMember"> {
  readonly state: string;
  readonly commit: string | null;
}

/** `user` is null where the account is gone. */
function reviewOf(value: unknown): Review {
  const { id, user, body, state, commit_id, author_association } = shapeOf(value, "review");
  return {
    id: String(id),
    by: textOr((user as { login?: unknown } | null)?.login, "somebody who is gone"),
    message: textOr(body, "").trim() || null,
    isMember: MEMBERS.has(author_association),
    state: textOr(state, ""),
    commit: textOr(commit_id, null),
  };
}

/**
 * Who put a label there, after the head was pushed. A label says nothing of a commit: one that was there before would
 * approve what nobody has seen. When a head was pushed GitHub keeps in the repository's activity; where it does not say
 * so, nothing is answered.
 */
export const labelledBy =
  (http: Http, { root, label, pull: read }: { root: string; label: string; pull: Api["pull"] }) =>
  async (number: number, head: Commit, signal: AbortSignal): Promise<{ id: string; by: string } | null> => {
    const pull = await read(number, signal);
    if (pull?.head !== head || !pull.labels.some((name) => isSame(name, label))) return null;
    const events = (await http.list(`${root}/issues/${number}/events?per_page=100`, signal)).map(eventOf);
    const put = events.findLast((one) => one.event === "labeled" && isSame(one.label, label));
    if (put === undefined) return null;
    const ref = encodeURIComponent(`refs/heads/${pull.branch}`);
    const pushes = (await http.list(`${root}/activity?ref=${ref}&per_page=100`, signal)).map(pushOf);
    const pushed = Math.max(...pushes.filter(({ after }) => after === head).map(({ at }) => at));
    return Number.isFinite(pushed) && put.at > pushed ? { id: put.id, by: put.by } : null;
  };

/** Labels have no case at GitHub. */
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function eventOf(value: unknown) {
  const { id, event, label, actor, created_at } = shapeOf(value, "event");
  return {
    id: String(id),
    event,
    label: textOr((label as { name?: unknown } | undefined)?.name, ""),
    by: textOr((actor as { login?: unknown } | null)?.login, "somebody who is gone"),
    at: Date.parse(textOr(created_at, "")),
  };
}

function pushOf(value: unknown) {
  const { after, timestamp } = shapeOf(value, "activity");
  return { after, at: Date.parse(textOr(timestamp, "")) };
}
