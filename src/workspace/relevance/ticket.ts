import { stem } from "../index/stem.ts";
import { hashOf, partsOf } from "../index/words.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** A word of a ticket as the index counts it. */
export interface TicketWord {
  readonly hash: number;
  /** how it stands in the ticket */
  readonly word: string;
  /** 1 for a word of the title, more for one that stands before its colon, less for one that only the body has */
  readonly weight: number;
}

/** What a ticket asks about. */
export interface Ticket {
  readonly words: readonly TicketWord[];
  /** names as code has them: in backticks, with a capital inside, an underscore, or called */
  readonly names: readonly string[];
  /** words that may be paths or names of files */
  readonly paths: readonly string[];
}

const BODY = 0.4;
/** `fix(router): …` and `net/http: …` say where */
const SCOPE = 1.3;
const SCOPED = /^(?:\w+\(([^)\n]+)\)!?:|([\w/,.*@ -]{2,40}):)\s/;
const MAX_WORDS = 120;

/** Reads a ticket: its first line (or `title:`) counts more than the rest. */
export function readTicket(text: string): Ticket {
  const { title, body } = split(text);
  const words = new Map<number, TicketWord>();
  const scope = SCOPED.exec(title);
  if (scope !== null) add(words, scope[1] ?? scope[2]!, SCOPE);
  add(words, title, 1);
  add(words, body, BODY);
  return { words: [...words.values()].slice(0, MAX_WORDS), names: namesIn(text), paths: pathsIn(text) };
}

function split(text: string): { title: string; body: string } {
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const named = front === null ? undefined : /^title:\s*(.+)$/m.exec(front[1]!)?.[1];
  const rest = (front === null ? text : text.slice(front[0].length)).trimStart();
  if (named !== undefined) return { title: named, body: rest };
  const end = rest.indexOf("\n");
  return end === -1 ? { title: rest, body: "" } : { title: rest.slice(0, end), body: rest.slice(end) };
}

function add(words: Map<number, TicketWord>, text: string, weight: number): void {
  const links = text.replace(/https?:\/\/\S+/g, " ");
  for (const [name] of links.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    const parts = partsOf(name);
    const all = parts.length > 1 ? [...parts, parts.join("")] : parts;
    for (const [i, part] of all.entries()) {
      if (STOP_WORDS.has(part)) continue;
      const isWhole = i === parts.length;
      const hash = hashOf(isWhole ? part : stem(part));
      if (!words.has(hash)) words.set(hash, { hash, word: part, weight });
    }
  }
}

const NAME =
  /`([\p{L}_$][\p{L}\p{N}_$.:#]*)(?:\(\))?`|\b([\p{L}_$][\p{L}\p{N}_$]*)\(\)|\b(\p{L}+_[\p{L}\p{N}_]*|_+\p{L}[\p{L}\p{N}_]*|\p{Ll}+\p{Lu}[\p{L}\p{N}]*|\p{Lu}\p{Ll}+\p{Lu}[\p{L}\p{N}]*)\b/gu;

function namesIn(text: string): readonly string[] {
  const found = [...text.matchAll(NAME)].flatMap(([, ticked, called, cased]) =>
    (ticked ?? called ?? cased ?? "").split(/[.:#]+/),
  );
  return [...new Set(found.filter((name) => name.length > 2))];
}

const pathsIn = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(/[\w@.-]+(?:\/[\w@.-]+)+|[\w-]+\.[a-z]{1,4}\b/g)].map(([path]) => path.replace(/^\.?\//, "")),
  ),
];
