import { PawlError } from "../../../domain/errors.ts";
import type { Comment, Written } from "./api.ts";
import { odd } from "./json.ts";

/** An issue, as its project shows it. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  /** Markdown, lines ended by \n */
  readonly body: string;
  readonly state: "open" | "closed";
  readonly labels: readonly string[];
  /** for people */
  readonly url: string;
  /** false: it certainly waits for no other issue by a link, so that nobody has to ask */
  readonly mayWait: boolean;
}

/** An issue that another waits for, because somebody linked them so; it may be one of another repository. */
export interface Linked {
  readonly repo: string;
  readonly number: number;
  readonly isOpen: boolean;
}

/** Which issues are meant: those with all of these labels, and that a search of the forge finds; null: no search. */
export interface Wanted {
  readonly labels: readonly string[];
  readonly query: string | null;
}

export interface Found {
  /** oldest first */
  readonly issues: readonly Issue[];
  /** why some may not be among them, which a search may not give: for people; null: all are */
  readonly missing: string | null;
}

/** The issues of one repository. Contract: reads throw FORGE_UNREACHABLE, FORGE_LIMITED or FORGE_DENIED; a write is sent once. */
export interface Issues {
  /** name for messages: GitHub, GitLab */
  readonly name: string;
  readonly repo: string;
  /** those that are open and wanted, however many pages */
  open(wanted: Wanted, signal: AbortSignal): Promise<Found>;
  /** null: none of that number, a pull request, or one that the token may not see */
  issue(number: number, signal: AbortSignal): Promise<Issue | null>;
  /** what an issue waits for by links: those that block it, and its parts; null: something that cannot be read */
  waitsFor(number: number, signal: AbortSignal): Promise<readonly (Linked | null)[]>;
  comments(number: number, signal: AbortSignal): Promise<readonly Comment[]>;
  /** `id` null: a new one */
  comment(number: number, id: string | null, text: string, signal: AbortSignal): Promise<Written<null>>;
}

/**
 * The issues of a list; `read` gives null for what is left out on purpose. An entry that cannot be read holds up no other
 * one, and is said in `missing`; where none can be read, the list is somebody else's: FORGE_UNREACHABLE.
 */
export function issuesIn(list: readonly unknown[], read: (entry: unknown) => Issue | null): Found {
  const issues = new Map<number, Issue>();
  const unread: unknown[] = [];
  for (const entry of list) {
    try {
      const issue = read(entry);
      // one that is relabelled while pages are read moves others onto two of them
      if (issue !== null) issues.set(issue.number, issue);
    } catch (error) {
      if (!(error instanceof PawlError) || unread.push(error.message) === list.length) throw error;
    }
  }
  const all = { issues: [...issues.values()] };
  if (unread.length === 0) return { ...all, missing: null };
  const count = unread.length === 1 ? "one entry is" : `${unread.length} entries are`;
  return { ...all, missing: `${count} left out, which cannot be read: ${unread[0]}` };
}

/** The links of a list; one that cannot be read is null, since what it stands for may block all the same. */
export const linksIn = (list: readonly unknown[], read: (entry: unknown) => Linked): readonly (Linked | null)[] =>
  list.map((entry) => {
    try {
      return read(entry);
    } catch (error) {
      if (error instanceof PawlError) return null;
      throw error;
    }
  });

/** What it means that a repository is shown, and a list of its issues is not. */
export const noIssues =
  (name: string, repo: string, variable: string) =>
  (status: number): PawlError | null =>
    status === 404 || status === 410
      ? new PawlError("FORGE_DENIED", `${name} shows ${repo}, and no list of its issues (${status})`, {
          next: `see whether issues are switched on there, and whether the token in ${variable} may read them`,
        })
      : null;

/** A number of an issue; throws FORGE_UNREACHABLE */
export function numberOf(value: unknown, what: string): number {
  if (Number.isSafeInteger(value) && Number(value) > 0) return Number(value);
  throw odd(`no ${what}`);
}

/** The issue of a number. Throws ISSUE_MISSING where there is none, and what the API's client throws. */
export async function issueNumbered(issues: Issues, number: number, signal: AbortSignal): Promise<Issue> {
  const found = await issues.issue(number, signal);
  if (found !== null) return found;
  const why = "there is none of that number, it is a pull request, or the token may not see it";
  throw new PawlError("ISSUE_MISSING", `${issues.repo}#${number} is no issue at ${issues.name}: ${why}`, {
    next: "give the number of an issue: pawl work gh:OWNER/NAME#12, or gl:GROUP/NAME#12.",
  });
}
