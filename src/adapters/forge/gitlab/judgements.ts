import type { Http } from "../remote/http.ts";
import { listOf, shapeOf, textOr } from "../remote/json.ts";
import type { Ask, Judgement } from "../remote/signals.ts";
import { mayApprove } from "./members.ts";
import { type Note, notesOf } from "./notes.ts";
import { type Person, personOf, pushedAt } from "./pushed.ts";

/**
 * Who approves of this head, and who asks for changes. An approval at GitLab names no commit, and outlives a push unless
 * the project says otherwise: it counts when it is younger than GitLab's version of the merge request with this head.
 * Where GitLab does not say when it was given (before 18), its own note of it does.
 */
export const judgementsOf =
  (http: Http, root: string): Ask<readonly Judgement[]> =>
  async (number, head, signal) => {
    const path = `${root}/merge_requests/${number}`;
    const since = await pushedAt(http, path, { head, signal });
    if (since === null) return [];
    const notes = await notesOf(http, path, signal);
    const said = [
      ...(await requesting(http, path, { notes, signal })),
      ...(await approving(http, path, { notes, signal })),
    ];
    const standing = said.filter(({ at }) => at !== null && at > since);
    // who asks for changes has not approved, whatever was said before
    const last = new Map(standing.toReversed().map((one) => [one.person.id, one]));
    return Promise.all(
      [...last.values()].map(async (one) => {
        const isMember = await mayApprove(http, `${root}/members/all/${one.person.id}`, signal);
        return judgementOf(one, { isMember, notes, since });
      }),
    );
  };

interface Said {
  readonly person: Person;
  readonly verdict: Judgement["verdict"];
  /** ms since 1970; null: nobody knows */
  readonly at: number | null;
}
type Around = { readonly notes: readonly Note[]; readonly signal: AbortSignal };

async function approving(http: Http, path: string, { notes, signal }: Around): Promise<readonly Said[]> {
  const found = await http.get(`${path}/approvals`, signal);
  return listOf(found === null ? [] : shapeOf(found, "approvals").approved_by).map((one) => {
    const { user, approved_at } = shapeOf(one, "approval");
    const person = personOf(user);
    const at = Date.parse(textOr(approved_at, ""));
    return { person, verdict: "approved", at: Number.isNaN(at) ? lastNote(notes, person, /^approved this/i) : at };
  });
}

async function requesting(http: Http, path: string, { notes, signal }: Around): Promise<readonly Said[]> {
  const reviewers = (await http.list(`${path}/reviewers?per_page=100`, signal)).map((one) => shapeOf(one, "reviewer"));
  return reviewers
    .filter(({ state }) => state === "requested_changes")
    .map(({ user }) => personOf(user))
    .map((person) => ({ person, verdict: "rejected", at: lastNote(notes, person, /^requested changes/i) }));
}

const lastNote = (notes: readonly Note[], { id }: Person, words: RegExp): number | null =>
  notes.findLast((one) => one.isSystem && one.by.id === id && words.test(one.text))?.at ?? null;

/** With what that person wrote since the push in general; what stands at lines is a thread. */
function judgementOf(
  { person, verdict, at }: Said,
  of: { readonly isMember: boolean; readonly notes: readonly Note[]; readonly since: number },
): Judgement {
  const theirs = of.notes.filter((one) => !one.isSystem && one.by.id === person.id && one.at > of.since);
  const message = theirs.findLast((one) => !one.isResolvable)?.text ?? null;
  return { id: `${person.id}-${at}`, by: person.name, verdict, isMember: of.isMember, message };
}
