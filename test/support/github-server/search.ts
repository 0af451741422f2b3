import { Refusal, type Reply, type Wire } from "../forge-server/http.ts";
import type { Issue } from "./state.ts";

/** Searches, which have a limit of their own, and what is odd about them. */
export interface Search {
  /** searches left in this minute */
  left: number;
  reset: number;
  /** a search takes too long, and says so */
  isSlow: boolean;
}

export const createSearch = (): Search => ({
  left: 30,
  reset: Math.floor(Date.now() / 1_000) + 60,
  isSlow: false,
});

const MOST = 1_000;

/** `GET /search/issues` of one repository: the qualifiers that the tests need, and words of a title. */
export function searchIssues(
  wire: Wire,
  of: { search: Search; repo: string; issues: readonly Issue[]; show: (issue: Issue) => unknown },
): Reply {
  if (of.search.left-- <= 0) throw overLimit(of.search);
  const fits = termsOf(wire.query.get("q") ?? "", of.repo);
  const found = of.issues.filter((issue) => fits(issue));
  const size = Number(wire.query.get("per_page") ?? 30);
  const from = (Number(wire.query.get("page") ?? 1) - 1) * size;
  if (from >= MOST) throw invalid("Only the first 1000 search results are available");
  const items = found.slice(from, Math.min(from + size, MOST)).map(of.show);
  return { status: 200, body: { total_count: found.length, incomplete_results: of.search.isSlow, items } };
}

type Fits = (issue: Issue) => boolean;

/** Terms stand for "and"; OR is weaker; brackets hold whatever they hold. */
function termsOf(query: string, repo: string): Fits {
  const tokens = [...query.matchAll(TOKEN)];
  const either = (): Fits => {
    const any = [all()];
    while (tokens[0]?.[0] === "OR") {
      tokens.shift();
      any.push(all());
    }
    return (issue) => any.some((fits) => fits(issue));
  };
  const all = (): Fits => {
    const every: Fits[] = [];
    while (tokens.length > 0 && tokens[0]![0] !== "OR" && tokens[0]![0] !== ")") {
      const [token, minus, name, quoted, bare] = tokens.shift()!;
      every.push(token === "(" ? either() : term(minus!, name, quoted ?? bare!, repo));
      if (token === "(" && tokens.shift()?.[0] !== ")") throw invalid("a bracket is not closed");
    }
    return (issue) => every.every((fits) => fits(issue));
  };
  return either();
}
const TOKEN = /[()]|(-?)(?:([a-z]+):)?(?:"([^"]*)"|([^\s()]+))/g;

function term(minus: string, name: string | undefined, value: string, repo: string): Fits {
  const fits = ((): Fits => {
    switch (name) {
      case undefined:
        return ({ title }) => title.toLowerCase().includes(value.toLowerCase());
      case "repo":
        return () => value === repo;
      case "is":
        return ({ state }) => value === "issue" || value === state;
      case "label":
        return ({ labels }) => labels.includes(value);
      case "milestone":
        return ({ milestone }) => milestone === value;
      default:
        throw invalid(`The search contains an unknown qualifier ${name}`);
    }
  })();
  return minus === "-" ? (issue) => !fits(issue) : fits;
}

const invalid = (message: string): Refusal =>
  new Refusal(422, {
    message: "Validation Failed",
    errors: [{ message, resource: "Search", field: "q", code: "invalid" }],
  });

const overLimit = ({ reset }: Search): Refusal =>
  new Refusal(
    403,
    { message: "API rate limit exceeded for user ID 1." },
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset), "x-ratelimit-resource": "search" },
  );
