import { createHash } from "node:crypto";
import { stringify } from "yaml";
import { cut } from "../../adapters/forge/answers.ts";
import type { Issue } from "../../adapters/forge/remote/issue.ts";

/** What an issue is as a task. */
export interface Taken {
  readonly id: string;
  readonly issue: Issue;
  /** ids of tasks */
  readonly deps: readonly string[];
  readonly type: string | null;
  /** why it is not to be started; null: it may be */
  readonly draft: string | null;
}

/** The task file of an issue. Its `source_hash` tells whether somebody has edited the file since. */
export function taskText({ issue, deps, type, draft }: Taken): string {
  const matter = {
    title: plain(issue.title).replace(/\s+/g, " ").trim() || `Issue ${issue.number}`,
    ...(deps.length === 0 ? {} : { deps }),
    ...(type === null ? {} : { type }),
    ...(issue.labels.length === 0 ? {} : { labels: issue.labels }),
    ...(draft === null ? {} : { draft: true }),
    source: issue.url,
  };
  const body = cut(plain(issue.body).trim(), BODY_MOST) || `${matter.title}.`;
  const front = stringify(matter, { lineWidth: 0 });
  const hash = hashOf(`---\n${front}---\n${body}\n`);
  return `---\n${front}source_hash: ${hash}\n---\n${body}\n`;
}

/** in UTF-16 units: a task file of more than a megabyte is refused, and with it the backlog */
const BODY_MOST = 200_000;

/** Without what no text file holds: a NUL makes it none. */
const plain = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, "");

const HASH_LINE = /^source_hash: (\S+)\r?\n/m;

/** What `source_hash` says; null: the file is none of ours. */
export const saidHash = (text: string): string | null => HASH_LINE.exec(text)?.[1] ?? null;

/** Whether a task file is as it was written. How its lines end does not count: git may change that. */
export const isAsWritten = (text: string): boolean => saidHash(text) === hashOf(text.replace(HASH_LINE, ""));

const hashOf = (text: string): string =>
  createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex").slice(0, 16);
