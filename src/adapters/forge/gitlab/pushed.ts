import type { Commit } from "../../../domain/names.ts";
import type { Http } from "../remote/http.ts";
import { shapeOf, textOr } from "../remote/json.ts";

/**
 * When GitLab took this head for that of the merge request, in ms since 1970: it keeps a version for each push. Null: its
 * newest version has another head; it has not caught up, or the head is no more.
 */
export async function pushedAt(
  http: Http,
  path: string,
  { head, signal }: { head: Commit; signal: AbortSignal },
): Promise<number | null> {
  const versions = (await http.list(`${path}/versions?per_page=100`, signal)).map((one) => shapeOf(one, "version"));
  const newest = versions.toSorted((a, b) => Number(b.id) - Number(a.id))[0];
  const at = Date.parse(textOr(newest?.created_at, ""));
  return newest?.head_commit_sha !== head || Number.isNaN(at) ? null : at;
}

export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Null is an account that is gone. */
export function personOf(value: unknown): Person {
  const { id, username } = (value ?? {}) as { id?: unknown; username?: unknown };
  return { id: String(id ?? 0), name: textOr(username, "somebody who is gone") };
}
