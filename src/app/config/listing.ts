import { createHash } from "node:crypto";
import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { Stamps, stampOf } from "./stamps.ts";

/** The files of a folder that may be configuration, in order of their names; as threads can hand it to each other. */
export interface Listed {
  /** with a NUL between them, which no name holds */
  readonly names: string;
  /** stamps by place, see Stamps */
  readonly stamps: Uint8Array<ArrayBuffer>;
  /** places of those that can be changed under another name elsewhere: links, and files with more names than one */
  readonly odd: readonly number[];
  /** of names and stamps: two of one sum are alike */
  readonly sum: string;
}

/** Files that are looked at from one step to the next. */
const SLICE = 200;

/** In steps, between which who does this beside other work goes on with that. */
export function* listing(path: string): Generator<void, Listed> {
  const names = namesIn(path);
  const stamps = new Stamps();
  const odd: number[] = [];
  for (let place = 0; place < names.length; place++) {
    if (place % SLICE === SLICE - 1) yield;
    const { stats, isOdd } = at(`${path}/${names[place]}`);
    if (isOdd) odd.push(place);
    stamps.push(stampOf(stats));
  }
  const joined = names.join("\0");
  const bytes = stamps.bytes();
  return { names: joined, stamps: bytes, odd, sum: sumOf(joined, bytes) };
}

/** What it leads to, and whether it can be changed elsewhere. One question for a file with one name, as nearly all are. */
function at(path: string): { readonly stats: Stats | null; readonly isOdd: boolean } {
  const stats = lstatSync(path, { throwIfNoEntry: false }) ?? null;
  if (stats?.isSymbolicLink()) return { stats: statSync(path, { throwIfNoEntry: false }) ?? stats, isOdd: true };
  return { stats, isOdd: (stats?.nlink ?? 0) > 1 };
}

const sumOf = (names: string, stamps: Uint8Array): string =>
  createHash("sha256").update(names).update("\0").update(stamps).digest("base64");

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path)
      .filter((name) => /\.(md|ya?ml)$/.test(name))
      .sort();
  } catch {
    return [];
  }
}
