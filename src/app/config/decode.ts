import { isMap, isScalar, isSeq } from "yaml";
import { globFault } from "./glob.ts";
import { nearest, nearestFirst } from "./nearest.ts";
import {
  type Described,
  either,
  keysOf,
  listOf,
  mapOf,
  type Schema,
  schemaOf,
  shaped,
  TEXT,
  textLike,
  words as wordsOf,
} from "./schema-of.ts";
import { entriesOf, itemsOf, nodeOf, noteFault, type Spot, textOf } from "./spot.ts";
import { countOf, durationOf } from "./units.ts";

/** Gives what stands at a spot; undefined where nothing does, or where a fault was noted. */
export type Decode<T> = ((spot: Spot) => T | undefined) & Described;

const kindOf = (spot: Spot): string => {
  const node = nodeOf(spot);
  if (isMap(node)) return "a mapping";
  if (isSeq(node)) return node.items.length === 0 ? "an empty list" : "a list";
  return isScalar(node) ? JSON.stringify(textOf(spot)) : "nothing";
};

/** Notes that something else stands there than what is wanted. */
export const wrong = (spot: Spot, wanted: string, next?: string): undefined => {
  const name = spot.path === "" ? "this file" : spot.path;
  noteFault(
    spot,
    "TYPE_BAD",
    `${name} has to be ${wanted}, and is ${kindOf(spot)}`,
    next === undefined ? {} : { next },
  );
  return undefined;
};

/** A scalar that `read` understands. */
const scalar = <T>(wanted: string, schema: Schema, read: (text: string) => T | null): Decode<T> =>
  shaped(
    () => schema,
    (spot: Spot) => {
      if (nodeOf(spot) === null) return undefined;
      const text = textOf(spot);
      const value = text === null ? null : read(text);
      return value ?? wrong(spot, wanted);
    },
  );
const NUMBER: Schema = { type: "number", minimum: 0 };
/** Beside a number: `2k`, `1.5M` */
const COUNT = textLike(/^\d+(\.\d+)?[kM]?$/);

export const text: Decode<string> = scalar("a text", TEXT, (value) => (value.trim() === "" ? null : value));
export const line: Decode<string> = scalar("a text of one line", TEXT, (value) =>
  value.trim() === "" || /[\r\n]/.test(value.trim()) ? null : value.trim(),
);
export const duration: Decode<number> = scalar(
  "a duration like 90s, 10m, 2h or 7d",
  textLike(/^\d+(\.\d+)?[smhd]$/),
  durationOf,
);
export const count: Decode<number> = scalar("a whole number (it may end in k or M)", COUNT, countOf);
export const positive: Decode<number> = scalar(
  "a whole number of at least 1",
  COUNT,
  (value) => countOf(value) || null,
);
export const amount: Decode<number> = scalar("a number that is not negative, like 2.50", NUMBER, (value) =>
  /^\d{1,9}(\.\d+)?$/.test(value) ? Number(value) : null,
);
export const minutes: Decode<number> = scalar(
  "a number of minutes, at least 1",
  { type: "number", minimum: 1 },
  (value) => (/^\d{1,6}(\.\d+)?$/.test(value) && Number(value) >= 1 ? Number(value) : null),
);
export const yes: Decode<boolean> = shaped(
  () => ({ type: "boolean" }),
  (spot: Spot) => {
    const node = nodeOf(spot);
    if (node === null) return undefined;
    const value = isScalar(node) ? node.value : null;
    return typeof value === "boolean" ? value : wrong(spot, "true or false");
  },
);

export const oneOf = <const W extends string>(words: readonly W[]): Decode<W> =>
  shaped(
    () => wordsOf(words),
    (spot: Spot) => {
      if (nodeOf(spot) === null) return undefined;
      const found = textOf(spot);
      if (found !== null && (words as readonly string[]).includes(found)) return found as W;
      const meant = found === null ? null : nearest(found, words);
      const wanted = words.length === 1 ? `"${words[0]}"` : `one of ${words.join(", ")}`;
      return wrong(spot, wanted, meant === null ? undefined : `write ${meant}.`);
    },
  );

/** Every item of a list, without those that have a fault. */
export const list = <T>(item: Decode<T>): Decode<readonly T[]> =>
  shaped(
    () => listOf(item),
    (spot: Spot) => {
      if (nodeOf(spot) === null) return undefined;
      const items = itemsOf(spot);
      if (!items) return wrong(spot, "a list");
      return items.map((one) => required(one, item)).filter((value) => value !== undefined);
    },
  );

const required = <T>(spot: Spot, item: Decode<T>): T | undefined =>
  nodeOf(spot) === null ? wrong(spot, "there, not empty") : item(spot);

/** A list, or a single value that stands for a list of one. */
export const oneOrMore = <T>(item: Decode<T>): Decode<readonly T[]> =>
  shaped(
    () => either(schemaOf(item), listOf(item)),
    (spot: Spot) => {
      if (isSeq(nodeOf(spot))) return list(item)(spot);
      const value = item(spot);
      return value === undefined ? undefined : [value];
    },
  );

/** The same, of which one is needed: with none it would never mean anything. */
export const someOf = <T>(item: Decode<T>, next = "name one, or take it out."): Decode<readonly T[]> =>
  shaped(
    () => either(schemaOf(item), { ...listOf(item), minItems: 1 }),
    (spot: Spot) => (itemsOf(spot)?.length === 0 ? wrong(spot, "one or more", next) : oneOrMore(item)(spot)),
  );

/** A mapping of names of the user's own. */
export const named = <T>(item: (spot: Spot, name: string) => T | undefined): Decode<Readonly<Record<string, T>>> =>
  shaped(
    () => mapOf(item),
    (spot: Spot) => {
      if (nodeOf(spot) === null) return undefined;
      const entries = entriesOf(spot);
      if (!entries) return wrong(spot, "a mapping");
      const read = entries.map(([name, one]) => [name, item(one, name)] as const);
      return Object.fromEntries(read.filter((pair): pair is readonly [string, T] => pair[1] !== undefined));
    },
  );

export type Decoded<S extends Record<string, Decode<unknown>>> = {
  readonly [K in keyof S]: Exclude<ReturnType<S[K]>, undefined> | undefined;
};

/** A mapping with these keys and no others. `later`: keys of later releases, which are told apart from mistyped ones. */
export const record = <S extends Record<string, Decode<unknown>>>(
  shape: S,
  later: readonly string[] = [],
): Decode<Decoded<S>> =>
  shaped(
    () => keysOf(shape),
    (spot: Spot) => {
      if (nodeOf(spot) === null) return undefined;
      const entries = entriesOf(spot);
      if (!entries) return wrong(spot, `a mapping with ${Object.keys(shape).join(", ")}`);
      const decoded: Record<string, unknown> = {};
      let unknown = 0;
      for (const [key, one] of entries) {
        if (Object.hasOwn(shape, key)) decoded[key] = shape[key]?.(one);
        else if (unknown++ < MOST_UNKNOWN) unknownKey(one, key, { known: Object.keys(shape), later });
      }
      return decoded as Decoded<S>;
    },
  );

/** A mapping with more of them is no mistyped configuration, but something else altogether. */
const MOST_UNKNOWN = 20;

/** Notes that a key is not known, with those that are. */
export function unknownKey(spot: Spot, key: string, of: { known: readonly string[]; later?: readonly string[] }): void {
  const parent = spot.path.split(".").slice(0, -1).join(".");
  const where = parent === "" ? spot.text.file : parent;
  const meant = nearest(key, of.known);
  const isLater = of.later?.includes(key) ?? false;
  noteFault(
    spot,
    "KEY_UNKNOWN",
    isLater ? `"${key}" of ${where} is not in this release` : `"${key}" is not a key of ${where}`,
    {
      key: true,
      note: `known: ${nearestFirst(key, of.known).join(", ")}`,
      ...(isLater || meant === null ? {} : { meant: parent === "" ? meant : `${parent}.${meant}` }),
      next: !isLater && meant !== null ? `write "${meant}", or take "${key}" out.` : `take "${key}" out.`,
    },
  );
}

export const glob: Decode<string> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const pattern = text(spot);
    if (pattern === undefined) return undefined;
    const why = globFault(pattern);
    if (why === null) return pattern;
    noteFault(spot, "GLOB_BAD", `"${pattern}" is not a glob that can be used: ${why}`, {
      next: 'write it like "src/**" or "test/*.test.ts".',
    });
    return undefined;
  },
);

/** A path below the repository's root, with /. */
export const pathInside: Decode<string> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const path = line(spot);
    if (path === undefined) return undefined;
    const parts = path.split("/");
    if (path.startsWith("/") || path.includes("\\") || parts.includes(".."))
      return wrong(spot, "a path below the repository's root, with /");
    return (
      parts.filter((part) => part !== "" && part !== ".").join("/") || wrong(spot, "a path below the repository's root")
    );
  },
);

/** Text (through the shell) or a list (run directly). */
export const command: Decode<string | readonly string[]> = shaped(
  () => either(TEXT, listOf(text)),
  (spot: Spot) => {
    if (!isSeq(nodeOf(spot))) return text(spot);
    const words = list(text)(spot);
    return words !== undefined && words.length === 0 ? wrong(spot, "a command: a text, or a list of words") : words;
  },
);
