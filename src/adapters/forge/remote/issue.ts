import { PawlError } from "../../../domain/errors.ts";
import type { Comment, Written } from "./api.ts";

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
  /** what an issue waits for by links: those that block it, and its parts */
  waitsFor(number: number, signal: AbortSignal): Promise<readonly Linked[]>;
  comments(number: number, signal: AbortSignal): Promise<readonly Comment[]>;
  /** `id` null: a new one */
  comment(number: number, id: string | null, text: string, signal: AbortSignal): Promise<Written<null>>;
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
