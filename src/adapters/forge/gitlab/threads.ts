import type { Http } from "../remote/http.ts";
import { listOf, shapeOf, text } from "../remote/json.ts";
import type { Ask } from "../remote/signals.ts";
import type { Thread } from "../remote/threads.ts";
import { mayApprove } from "./members.ts";
import { type Note, noteOf } from "./notes.ts";

/** The discussions of a merge request that can be resolved; of those that are open, who of them may write there. */
export const threadsOf =
  (http: Http, root: string): Ask<readonly Thread[]> =>
  async (number, _, signal) => {
    const found = await http.list(`${root}/merge_requests/${number}/discussions?per_page=100`, signal);
    const members = new Map<string, Promise<boolean>>();
    const isMember = (id: string): Promise<boolean> => {
      const asked = members.get(id) ?? mayApprove(http, `${root}/members/all/${id}`, signal);
      members.set(id, asked);
      return asked;
    };
    const threads = await Promise.all(found.map((one) => threadOf(shapeOf(one, "discussion"), isMember)));
    return threads.filter((thread) => thread !== null);
  };

/** Null: a note that is no thread, or one of GitLab's own. Of a thread each note says whether it is resolved. */
async function threadOf(
  discussion: ReturnType<typeof shapeOf>,
  isMember: (id: string) => Promise<boolean>,
): Promise<Thread | null> {
  const notes = listOf(discussion.notes).map(noteOf);
  const begun = notes.find((one) => one.isResolvable);
  if (begun === undefined) return null;
  const isResolved = notes.every((one) => !one.isResolvable || one.isResolved);
  const words = notes.filter((one) => !one.isSystem);
  const said = isResolved ? [] : await Promise.all(words.map((one) => saidBy(one, isMember)));
  const isOutdated = notes.some((one) => one.isSystem && OUTDATED.test(one.text));
  return { id: text(discussion.id, "id"), file: begun.file, line: begun.line, isOutdated, isResolved, said };
}

/**
 * What GitLab itself says in a thread when a push changed its lines; as long as they stay, it moves the thread along. That
 * a thread stands at an older head says less: GitLab moves them a while after a push.
 */
const OUTDATED = /^changed this (line|file) in /;

const saidBy = async ({ by, text: words }: Note, isMember: (id: string) => Promise<boolean>) => ({
  by: by.name,
  isMember: await isMember(by.id),
  text: words,
});
