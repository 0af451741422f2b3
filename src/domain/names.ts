/** The names that stay the same for ever: ids, keys, and the order in which tasks are worked on. */
declare const brand: unique symbol;
type Id<B extends string> = string & { readonly [brand]: B };

export type TaskId = Id<"task">;
export type PhaseName = Id<"phase">;
/** Hash of a checked phase map, the steps resolved. */
export type MapHash = Id<"map">;
/** A full git object name (40 or 64 hex digits). */
export type Commit = Id<"commit">;
/** `sha256-` + hex of the bytes of a blob in the store. */
export type BlobHash = Id<"blob">;
export type HostName = Id<"host">;
/** `task/visit/kind/n`: one effect, for ever. */
export type EffectKey = Id<"effect">;
/** `task/visit/attempt`: one paid try of one worker; owns one run folder. */
export type RunKey = Id<"run">;
/** `run.leg`: one process of a run. */
export type LegKey = Id<"leg">;
/** Milliseconds since 1970; never goes back within one log. */
export type Instant = number & { readonly [brand]: "instant" };
export type Ms = number;

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Why `text` cannot be a task id, or null if it can. Covers what `git check-ref-format` refuses in one path part. */
export function idFault(text: string): string | null {
  if (!ID.test(text))
    return "an id has 1 to 64 letters, digits, dots, underscores or hyphens and starts with a letter or digit";
  if (text.includes("..")) return "an id cannot hold two dots in a row (it names a git branch)";
  if (text.endsWith(".")) return "an id cannot end with a dot (it names a git branch)";
  if (text.toLowerCase().endsWith(".lock")) return 'an id cannot end with ".lock" (it names a git branch)';
  return null;
}

/** A text whose plain order is the natural order of ids: each number is led by its length, so that 2 comes before 10. */
export function idKey(id: string): string {
  let key = "";
  let copied = 0;
  for (let at = 0; at < id.length; at++) {
    if (!isDigit(id, at)) continue;
    key += id.slice(copied, at);
    let end = at + 1;
    while (isDigit(id, end)) end++;
    while (at < end - 1 && id.charCodeAt(at) === ZERO) at++; // leading zeros count for nothing
    key += `0${String.fromCharCode(ZERO + end - at)}${id.slice(at, end)}`;
    copied = end;
    at = end;
  }
  return copied === 0 ? id : key + id.slice(copied);
}
const ZERO = 48;
/** False behind the end, too. */
const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= ZERO && code <= ZERO + 9;
};

/** task-2 before task-10: by code point and number, the same on every machine and locale. */
export function compareIds(a: string, b: string): number {
  const x = idKey(a);
  const y = idKey(b);
  if (x !== y) return x < y ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

export const effectKey = (task: { id: TaskId; visit: number; n: number }, kind: string): EffectKey =>
  `${task.id}/${task.visit}/${kind}/${task.n + 1}` as EffectKey;
export const runKey = (task: TaskId, visit: number, attempt: number): RunKey => `${task}/${visit}/${attempt}` as RunKey;
export const legKey = (run: RunKey, leg: number): LegKey => `${run}.${leg}` as LegKey;

/** What a leg key says: the task, its visit, the attempt, and which process of it. Throws on anything else. */
export function parseLeg(leg: string): { task: TaskId; visit: number; attempt: number; leg: number; run: RunKey } {
  const found = /^(.+)\/(\d+)\/(\d+)\.(\d+)$/.exec(leg);
  if (!found) throw new RangeError(`not a leg key: ${JSON.stringify(leg)}`);
  const [, task, visit, attempt, n] = found as unknown as [string, string, string, string, string];
  return {
    task: task as TaskId,
    visit: +visit,
    attempt: +attempt,
    leg: +n,
    run: `${task}/${visit}/${attempt}` as RunKey,
  };
}
