import type { CodeIndex } from "../index/code-index.ts";
import { testMap } from "../index/test-map.ts";
import type { PastCommit } from "./history.ts";
import { definersOf, pathsNamed } from "./names.ts";
import { alike, type Past, pastOf, top } from "./past.ts";
import { reasonsFor } from "./reasons.ts";
import { type Evidence, scoreFiles } from "./score.ts";
import { lookUp } from "./text-score.ts";
import type { Ticket } from "./ticket.ts";
import { WEIGHTS, type Weights } from "./weights.ts";

/** A file that a ticket is about, as far as it can be told. */
export interface RankedFile {
  readonly path: string;
  /** 1 for the first; only to compare within one ranking */
  readonly score: number;
  /** why, what counts most first */
  readonly reasons: readonly string[];
}

/** Ranks the files of one index for tickets; what they have in common is worked out once. */
export interface Ranker {
  /** the most relevant files, at most `limit`; the same input gives the same order */
  rank(ticket: Ticket, limit: number): readonly RankedFile[];
}

export function ranker(index: CodeIndex, history: readonly PastCommit[], weights: Weights = WEIGHTS): Ranker {
  const past = pastOf(history, index.placeOf, index.files.length);
  const tests = testMap(index);
  return {
    rank(ticket, limit) {
      const evidence = evidenceOf(index, { past, ticket, sourcesOf: tests.sourcesOf });
      const scores = scoreFiles(evidence, weights);
      const places = top(scores.total, limit);
      const best = scores.total[places[0] ?? 0] ?? 1;
      const similar = alike(past, ticket.words, weights);
      return places.map((place) => ({
        path: index.files[place]!.path,
        score: Number((scores.total[place]! / best).toFixed(4)),
        reasons: reasonsFor(place, { evidence, scores, places, similar, ticket }),
      }));
    },
  };
}

/** Puts together what is known of a ticket and an index. */
export function evidenceOf(
  index: CodeIndex,
  { past, ticket, sourcesOf }: { past: Past; ticket: Ticket; sourcesOf: Evidence["sourcesOf"] },
): Evidence {
  const paths = index.files.map(({ path }) => path);
  return {
    paths,
    past,
    sourcesOf,
    graph: index.graph,
    hits: lookUp(index, ticket.words),
    named: pathsNamed(paths, ticket.paths),
    defines: definersOf(index, ticket.names),
  };
}
