import type { Http } from "../remote/http.ts";
import { shapeOf, textOr } from "../remote/json.ts";
import { type Person, personOf } from "./pushed.ts";

/** A note at a merge request; GitLab's own say what somebody did. */
export interface Note {
  readonly by: Person;
  readonly text: string;
  /** ms since 1970 */
  readonly at: number;
  readonly isSystem: boolean;
  /** it begins a thread, or is said in one */
  readonly isResolvable: boolean;
  readonly isResolved: boolean;
  /** where it stands; null: at no file */
  readonly file: string | null;
  readonly line: number | null;
}

/** All of them, oldest first. */
export const notesOf = async (http: Http, path: string, signal: AbortSignal): Promise<readonly Note[]> =>
  (await http.list(`${path}/notes?order_by=created_at&sort=asc&per_page=100`, signal)).map(noteOf);

export function noteOf(value: unknown): Note {
  const { author, body, created_at, system, resolvable, resolved, position } = shapeOf(value, "note");
  const { new_path, old_path, new_line, old_line } = (position ?? {}) as Readonly<Record<string, unknown>>;
  const line = new_line ?? old_line;
  return {
    by: personOf(author),
    text: textOr(body, "").trim(),
    at: Date.parse(textOr(created_at, "")),
    isSystem: system === true,
    isResolvable: resolvable === true,
    isResolved: resolved === true,
    file: textOr(new_path, null) ?? textOr(old_path, null),
    line: typeof line === "number" ? line : null,
  };
}
