import type { Shown } from "./forge.ts";

/** What happened at the forge, counted there. */
export interface FarEnd {
  /** by branch, in order of number */
  readonly pulls: Readonly<Record<string, readonly Pick<Shown, "state" | "labels" | "comments">[]>>;
  /** `opened BRANCH`, `ready BRANCH`, `merged BRANCH`, `commented BRANCH`, `edited BRANCH`, as often as it happened */
  readonly did: readonly string[];
}

/** Watches what changes from one look to the next; no two things that count may fall between two looks. */
export function createLedger(pulls: () => readonly Shown[]) {
  const did: string[] = [];
  let before: ReadonlyMap<number, Shown> = new Map();
  return {
    look(): void {
      const now = pulls();
      for (const pull of now)
        did.push(...changes(before.get(pull.number), pull).map((what) => `${what} ${pull.branch}`));
      before = new Map(now.map((pull) => [pull.number, pull]));
    },
    end(): FarEnd {
      const shown: Record<string, FarEnd["pulls"][string]> = {};
      for (const { branch, state, labels, comments } of pulls())
        shown[branch] = [...(shown[branch] ?? []), { state, labels, comments: comments.map(withoutCommits) }];
      return { pulls: Object.fromEntries(Object.entries(shown).sort(([a], [b]) => (a < b ? -1 : 1))), did };
    },
  };
}

function changes(was: Shown | undefined, is: Shown): readonly string[] {
  const old = was ?? { state: is.state, comments: [] };
  return [
    ...(was === undefined ? ["opened"] : []),
    ...(old.state !== is.state ? [is.state === "open" ? "ready" : is.state] : []),
    ...is.comments.flatMap((text, at) => {
      const had = old.comments[at];
      return had === undefined ? ["commented"] : had === text ? [] : ["edited"];
    }),
  ];
}

/** Commits differ from run to run. */
const withoutCommits = (text: string): string => text.replace(/\b[0-9a-f]{7,40}\b/g, "COMMIT");
