import type { Git } from "../../../src/ports/system.ts";
import { languages } from "../../../src/workspace/index/language.ts";

/** A commit of the past as a question: from its subject and the tree before it, which files does it change? */
export interface Case {
  readonly commit: string;
  readonly parent: string;
  /** the subject without names of files and numbers of issues */
  readonly subject: string;
  /** source files that it changes and that are there before it */
  readonly gold: readonly string[];
}

const MAX_CHANGED = 5;
const FILE_NAME =
  /[\w@./-]*[\w@-]\.(?:[cm]?[jt]sx?|pyi?|rs|go|java|[ch](?:pp|xx|h|c)?|cs|rb|php|json|ya?ml|toml|md|txt|css|html)\b/gi;

/** What is asked: a subject without what names the answer. */
export const question = (subject: string): string =>
  subject
    .replace(FILE_NAME, " ")
    .replace(/\(?#\d+\)?|\bGH-\d+\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();

/** The newest `most` commits from `head` on that change 1 to 5 source files, at least one of which was there before. */
export async function casesOf(
  git: Git,
  repo: string,
  { head, most }: { head: string; most: number },
): Promise<readonly Case[]> {
  const format = "--format=\x01%H %P%x02%s";
  const args = [
    "log",
    "--no-merges",
    "-z",
    "--no-renames",
    "--name-status",
    format,
    "-n",
    String(most * 15),
    head,
    "--",
  ];
  const log = await git.must(args, { cwd: repo });
  const cases = log
    .split("\x01")
    .slice(1)
    .flatMap((entry) => caseIn(entry.split("\0")));
  return cases.slice(0, most);
}

function caseIn([head = "", ...fields]: readonly string[]): readonly Case[] {
  const [, commit, parent, written] = /^(\w+) (\w+)\x02([\s\S]*)$/.exec(head.trimEnd()) ?? [];
  if (commit === undefined || parent === undefined || written === undefined) return [];
  const changes = changesIn(fields);
  const isSource = languages(changes.flatMap(({ before, after }) => [before, after].filter((path) => path !== null)));
  const sources = changes.filter(({ before, after }) => isSource(before ?? after!) !== null);
  const gold = sources.flatMap(({ before }) => before ?? []);
  const subject = question(written);
  const isRight = gold.length > 0 && sources.length <= MAX_CHANGED && /\p{L}{3}/u.test(subject);
  return isRight ? [{ commit, parent, subject, gold }] : [];
}

function changesIn(fields: readonly string[]): readonly { before: string | null; after: string | null }[] {
  const changes: { before: string | null; after: string | null }[] = [];
  for (let i = 0; i < fields.length; ) {
    const [kind = ""] = /^[ACDMRT]/.exec(fields[i]!.replace(/^\n/, "")) ?? [];
    const [first = null, second = null] = [fields[i + 1] ?? null, fields[i + 2] ?? null];
    if (kind === "") i++;
    else if (kind === "R" || kind === "C") {
      changes.push({ before: kind === "R" ? first : null, after: second });
      i += 3;
    } else {
      changes.push({ before: kind === "A" ? null : first, after: kind === "D" ? null : first });
      i += 2;
    }
  }
  return changes;
}
