import { Unreadable } from "./unreadable.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** The first of these fields that is there and says something; undefined: none. */
export const first = (fields: Fields, ...keys: readonly string[]): unknown =>
  keys.map((key) => (Object.hasOwn(fields, key) ? fields[key] : undefined)).find((value) => isSaid(value));

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** The same, where one of them has to be there. */
export function needed(name: string, fields: Fields, ...keys: readonly string[]): unknown {
  const value = first(fields, ...keys);
  if (value === undefined) throw new Unreadable(`${name} needs ${keys[0]}`);
  return value;
}

/** Seconds, as a number or written like `2`, `3 seconds`, `5s`; undefined where nothing is said. */
export function secondsIn(value: unknown): number | undefined {
  if (value === undefined || typeof value === "number") return value;
  const found = /^\s*(\d{1,4}(?:\.\d{1,3})?)\s*(?:s|secs?|seconds?|\u79d2)?\s*$/i.exec(String(value));
  if (found) return Number(found[1]);
  throw new Unreadable(`${JSON.stringify(value)} is no number of seconds`);
}

/** `{duration}` in whole milliseconds, or nothing where no time is said. */
export function durationIn(value: unknown): { readonly duration?: number } {
  const seconds = secondsIn(value);
  return seconds === undefined ? {} : { duration: Math.round(seconds * 1000) };
}

/** What models write beside an action that changes nothing of it. */
const ASIDES =
  /^(?:thinking|thoughts?|reason|reasoning|desc|description|explanation|summary|message|status|observation|plan|confidence)$/i;

/** A field that is not known may be one of the others with a letter too many: what it would have changed is not done. */
export function checkNames(fields: Fields, known: ReadonlySet<string>): void {
  const strange = Object.keys(fields).find((key) => !known.has(key) && !ASIDES.test(key));
  if (strange !== undefined) throw new Unreadable(`${JSON.stringify(strange.slice(0, 60))} is no field of an action`);
}

export const fieldsOf = (value: unknown, what: string): Fields => {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Unreadable(`${what} has to be an object`);
};

/** A name as it is compared: `Long Press`, `long_press` and `LongPress` are one. */
export const plainName = (name: unknown): string =>
  typeof name === "string" ? name.toLowerCase().replace(/[\s_-]/g, "") : "";
