import type { EffectResult, Made, RefusalCode } from "../../domain/input.ts";
import type { Commit, Instant } from "../../domain/names.ts";
import type { Waiting } from "../../domain/task.ts";

export const done = (made: Made, found = false): EffectResult => ({ kind: "done", made, found });

export const refused = (
  code: RefusalCode,
  detail: string,
  what: { files?: readonly string[]; actual?: Commit | null } = {},
): EffectResult => ({ kind: "refused", code, detail, files: what.files ?? [], actual: what.actual ?? null });

export const later = (owner: Waiting["owner"], detail: string, until: number | null): EffectResult => ({
  kind: "later",
  until: until as Instant | null,
  owner,
  detail,
});

/** A text of at most `limit` characters, which says how many were cut. Never half a character. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const said = (kept: number) => `… [cut: ${text.length - kept} characters more]`;
  let kept = limit - said(0).length;
  if (isHighSurrogate(text.charCodeAt(kept - 1))) kept -= 1;
  return text.slice(0, kept) + said(kept);
}
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
