import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { systemGit } from "../../adapters/system/git.ts";
import type { Stage } from "./stage.ts";

/** What happened outside, by the books of those whom it happened to: nothing of this is read from Pawl's store. */
export interface FarEnd {
  /** legs as the workers signed them */
  readonly starts: readonly string[];
  /** moves of task branches in the origin: `pawl/task-001 4f2c1ab…` */
  readonly publishes: readonly string[];
  /** states that pull requests went through: `1 draft` */
  readonly pulls: readonly string[];
  /** Pawl-Key of each commit on the origin's main */
  readonly merges: readonly string[];
}

export async function readFarEnd({ starts, origin }: Stage): Promise<FarEnd> {
  const moves = readReflogs(join(origin, "logs", "refs"));
  const keys = await systemGit().must(["log", "--format=%(trailers:key=Pawl-Key,valueonly,separator=%x2C)", "main"], {
    cwd: origin,
  });
  return {
    starts: linesOf(readFileSync(starts, "utf8")),
    publishes: moves.flatMap(({ ref, to }) => (ref.startsWith("heads/pawl/") ? [`${ref.slice(6)} ${to}`] : [])),
    pulls: moves.flatMap(({ ref, why }) => (ref.startsWith("pawl/pr/") ? [`${ref.slice(8)} ${why}`] : [])),
    merges: linesOf(keys),
  };
}

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "");

interface Move {
  /** below refs/ */
  readonly ref: string;
  readonly to: string;
  readonly why: string;
}

function readReflogs(folder: string): readonly Move[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return linesOf(readFileSync(path, "utf8")).map((line) => {
        const [who = "", why = ""] = line.split("\t");
        return { ref: relative(folder, path), to: who.split(" ")[1] ?? "", why: why.replace(/^pawl: /, "") };
      });
    });
}

/** Those that are there more than once. */
export const twice = (list: readonly string[]): readonly string[] => [
  ...new Set(list.filter((one, at) => list.indexOf(one) !== at)),
];
