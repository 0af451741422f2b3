import type { Commit } from "../../domain/names.ts";
import { type Held, PULLS, parsePullRefs, readPulls } from "./pulls.ts";
import { atFar, type Hands, output } from "./refs.ts";

/** Branches and pull requests at the far end, as they were at one moment. */
export interface FarRefs {
  readonly tips: ReadonlyMap<string, Commit>;
  /** oldest first */
  readonly pulls: readonly Held[];
  /** the highest number taken, also by what cannot be read */
  readonly highest: number;
}

/** One process of git; a second where a pull request is new to us. */
export async function readFar(hands: Hands, branches: readonly string[]): Promise<FarRefs> {
  return parseRefs(hands, await listFar(hands, branches));
}

/** The list itself, `object refname` a line: equal lists have equal answers. Without names: of every branch. */
export const listFar = (hands: Hands, branches?: readonly string[]): Promise<string> => {
  const heads = branches?.map((branch) => `refs/heads/${branch}`) ?? ["refs/heads/"];
  return output(
    atFar(hands, ["for-each-ref", "--format=%(objectname) %(refname)", ...heads, PULLS]),
    "list the branches",
  );
};

export async function parseRefs(hands: Hands, listing: string): Promise<FarRefs> {
  const refs = parsePullRefs(listing);
  const tips = listing.split("\n").flatMap((line) => {
    const [commit, branch] = line.split(" refs/heads/");
    return branch === undefined ? [] : [[branch, commit as Commit] as const];
  });
  return { tips: new Map(tips), pulls: await readPulls(hands, refs), highest: Math.max(0, ...refs.keys()) };
}
