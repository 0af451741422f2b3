import type { Commit, TaskId } from "../domain/names.ts";
import type { Board } from "../engine/board.ts";
import type { BacklogSource, ReadSpec } from "../ports/source.ts";
import type { Git } from "../ports/system.ts";

/** How far back on the base merges are looked for. */
const MOST_COMMITS = 50_000;

export interface Base {
  readonly repo: string;
  readonly base: string;
}

/**
 * A source that knows what was merged before there was this store (`.pawl` was lost, or this is a clone): as long as the
 * board is empty, a task comes with the commit that a Pawl has put on the base for it. One of the same id and another
 * title is another task.
 */
export function withLanded(source: BacklogSource, of: { git: Git; board: () => Board | null }): BacklogSource {
  return {
    changed: (signal) => source.changed(signal),
    async read() {
      const reading = await source.read();
      const board = of.board();
      if (reading.settings === null || reading.specs.length === 0 || board === null || !isEmpty(board)) return reading;
      const landed = await landedBefore(reading.specs, reading.settings, of.git);
      return { ...reading, specs: reading.specs.map((spec) => withCommit(spec, landed.get(spec.id))) };
    },
  };
}

const isEmpty = ({ rows, seeds, ended }: Board): boolean => rows.size + seeds.size + ended.size === 0;
const withCommit = (spec: ReadSpec, landed: Commit | undefined): ReadSpec =>
  landed === undefined || spec.terms.draft
    ? spec
    : {
        id: spec.id,
        spec: spec.spec,
        terms: spec.terms,
        landed,
        get bytes() {
          return spec.bytes;
        },
      };

/** The newest commit of each task, by the Pawl-Task that its merge was given. */
async function landedBefore(
  specs: readonly ReadSpec[],
  { repo, base }: Base,
  git: Git,
): Promise<ReadonlyMap<TaskId, Commit>> {
  const titles = new Map<string, string>(specs.map(({ id, terms }) => [id, subjectOf(terms.title)]));
  const found = new Map<TaskId, Commit>();
  for (const [commit, id, subject] of await merges({ repo, base }, git)) {
    const title = titles.get(id);
    if (title !== undefined && subject.startsWith(title) && !found.has(id as TaskId))
      found.set(id as TaskId, commit as Commit);
  }
  return found;
}

type Merge = readonly [commit: string, task: string, subject: string];

/** Of the base here and of the one at its remotes: what was merged there may not have been fetched into it. */
async function merges({ repo, base }: Base, git: Git): Promise<readonly Merge[]> {
  const trailer = (name: string) => `%(trailers:key=${name},valueonly,separator=%x2C)`;
  const { code, stdout } = await git.run(
    [
      "log",
      "-z",
      "--no-show-signature",
      `--max-count=${MOST_COMMITS}`,
      `--format=%H%n${trailer("Pawl-Task")}%n${trailer("Pawl-Key")}%n%s`,
      base,
      `--glob=refs/remotes/*/${base}`,
      "--",
    ],
    { cwd: repo },
  );
  const commits = code === 0 ? stdout.split("\0") : [];
  return commits.flatMap((text) => {
    const [commit = "", task = "", key = "", subject = ""] = text.split("\n");
    return task !== "" && key.startsWith(`${task}/`) ? [[commit, task, subject] as const] : [];
  });
}

/** As much of a title as its merge has for certain: a forge may put words behind it. */
const subjectOf = (title: string): string => title.replace(/\s+/g, " ").trim().slice(0, 200);
