import type { Comment, Written } from "../remote/api.ts";
import { type Http, said } from "../remote/http.ts";
import { shapeOf, textOr } from "../remote/json.ts";
import { written } from "../remote/written.ts";
import { withoutQuickActions } from "./quick-actions.ts";

/** The notes at a merge request or an issue, which is at `path`, oldest first. */
export async function notesAt(http: Http, path: string, signal: AbortSignal): Promise<readonly Comment[]> {
  const found = await http.list(`${path}/notes?order_by=created_at&sort=asc&per_page=100`, signal);
  return found.map((one) => {
    const { id, body } = shapeOf(one, "a note");
    return { id: String(id), text: textOr(body, "") };
  });
}

/** Writes a note, or other words into one of ours; none of them is an order to GitLab. */
export async function writeNote(
  { http, now }: { readonly http: Http; readonly now: () => number },
  { of, id, words }: { readonly of: string; readonly id: string | null; readonly words: string },
  signal: AbortSignal,
): Promise<Written<null>> {
  const path = id === null ? `${of}/notes` : `${of}/notes/${id}`;
  const sent = await http.send(id === null ? "POST" : "PUT", path, { body: withoutQuickActions(words) }, signal);
  return written(sent, { http, now, value: () => null, no: (reply) => ["denied", said(reply)] });
}
