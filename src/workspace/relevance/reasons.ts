import type { alike } from "./past.ts";
import { EVIDENCE_KINDS, type Evidence, type EvidenceKind, type Scores } from "./score.ts";
import { IN_DEFINITION, IN_NAME, IN_PATH } from "./text-score.ts";
import type { Ticket } from "./ticket.ts";

export interface Known {
  readonly evidence: Evidence;
  readonly scores: Scores;
  /** the files that were ranked, the best first */
  readonly places: readonly number[];
  readonly similar: ReturnType<typeof alike>;
  readonly ticket: Ticket;
}

const MAX_REASONS = 4;
/** What gives less of a file's score than this is not worth a word. */
const WORTH = 0.04;
const MAX_WORDS = 4;

/** Why a file is where it is, what counts most first; never empty for a file with a score. */
export function reasonsFor(place: number, known: Known): readonly string[] {
  const { total, by } = known.scores;
  const counted = EVIDENCE_KINDS.filter((kind) => by[kind][place]! > WORTH * total[place]!);
  counted.sort((a, b) => by[b][place]! - by[a][place]!);
  const told = counted.flatMap((kind) => TELL[kind](place, known) ?? []);
  return (told.length > 0 ? told : ["some of the ticket's words"]).slice(0, MAX_REASONS);
}

const TELL: Readonly<Record<EvidenceKind, (place: number, known: Known) => string | null>> = {
  text: (place, { evidence }) => wordsTold(place, evidence),
  past: (place, { similar }) => {
    const found = similar.find(({ trace }) => trace.places.includes(place));
    return found
      ? `changed by ${found.trace.commit.hash.slice(0, 7)} "${shortened(found.trace.commit.subject)}"`
      : null;
  },
  recent: () => "changed lately",
  named: () => "its path is named",
  defines: (place, { evidence, ticket }) =>
    evidence.defines.has(place) ? `defines what is named (${ticket.names.slice(0, 3).join(", ")})` : null,
  folder: () => "its folder fits",
  near: (place, known) => neighbour(place, known),
  together: (place, known) => changedAlong(place, known),
  tested: (place, known) => pair(place, known),
};

const shortened = (subject: string): string => (subject.length > 60 ? `${subject.slice(0, 59)}…` : subject);

function wordsTold(place: number, { hits }: Evidence): string | null {
  const found = hits.words.flatMap(({ word, rarity, places, where }) => {
    const i = places.indexOf(place);
    return i === -1 ? [] : [{ word: word.word, worth: rarity * word.weight, where: where[i]! }];
  });
  found.sort((a, b) => b.worth - a.worth);
  const told = found.slice(0, MAX_WORDS).map(({ word, where }) => `${word}${placeOf(where)}`);
  return told.length === 0 ? null : `words: ${told.join(", ")}`;
}

function placeOf(where: number): string {
  if ((where & IN_NAME) !== 0) return " (its name)";
  if ((where & IN_PATH) !== 0) return " (path)";
  return (where & IN_DEFINITION) === 0 ? "" : " (defined)";
}

/** The best file that it imports, or that imports it. */
function neighbour(place: number, { evidence: { graph, paths }, places }: Known): string | null {
  const to = places.find((other) => other !== place && graph.imports[place]!.includes(other));
  const from = places.find((other) => other !== place && graph.importedBy[place]!.includes(other));
  if (to === undefined && from === undefined) return "near what fits, along imports";
  const isFirst = from === undefined || (to !== undefined && places.indexOf(to) < places.indexOf(from));
  return isFirst ? `imports ${paths[to!]!}` : `imported by ${paths[from!]!}`;
}

function changedAlong(place: number, { evidence: { past, paths }, places }: Known): string | null {
  const commits = (past.byPlace.get(place) ?? []).map((i) => past.traces[i]!);
  const counts = places.map((other) => ({
    other,
    times: other === place ? 0 : commits.filter((trace) => trace.places.includes(other)).length,
  }));
  const most = counts.reduce((best, one) => (one.times > best.times ? one : best), { other: -1, times: 0 });
  return most.times === 0 ? null : `changed ${most.times} times with ${paths[most.other]!}`;
}

function pair(place: number, { evidence: { sourcesOf, paths }, places }: Known): string | null {
  const source = sourcesOf(place).find((other) => places.includes(other)) ?? sourcesOf(place)[0];
  if (source !== undefined) return `tests ${paths[source]!}`;
  const test = places.find((other) => sourcesOf(other).includes(place));
  return test === undefined ? null : `tested by ${paths[test]!}`;
}
