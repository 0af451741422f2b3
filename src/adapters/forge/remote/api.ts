import type { Commit, Ms } from "../../../domain/names.ts";

/** A pull request (GitLab: merge request) as a forge on another machine has it. */
export interface FarPull {
  /** as its API names it */
  readonly number: number;
  /** what a person opens in a browser; the task's `pr` */
  readonly url: string;
  readonly state: "draft" | "open" | "merged" | "closed";
  readonly branch: string;
  readonly base: string;
  /** the head that the forge has it at, or had it at when it was merged or closed */
  readonly head: Commit;
  readonly merged: Commit | null;
  readonly body: string;
  readonly labels: readonly string[];
  /** another name of it, where an API wants one (GraphQL) */
  readonly id: string;
}

/** A forge on another machine is asked twice a minute; what did not change costs no rate (architecture 7.1). */
export const EVERY_MS: Ms = 30_000;

/**
 * How a write ended. `no` and `later` are certain, and say why in the forge's own words; `doubt`: it may have happened
 * (an answer that was lost, a 502): the caller looks, and an absent effect is in doubt still.
 */
export type Written<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "no"; readonly why: No; readonly detail: string }
  | { readonly kind: "later"; readonly until: number; readonly owner: "forge" | "human"; readonly detail: string }
  | { readonly kind: "doubt"; readonly detail: string };

/** exists: there is an open one already; moved: the head or the tip is another one; denied: a rule of the forge's */
export type No = "exists" | "nothing-to-do" | "base-gone" | "moved" | "conflict" | "gone" | "invalid" | "denied";

/**
 * What forges on other machines have in common, as the rest of this room needs it. Contract: reads throw
 * FORGE_UNREACHABLE, FORGE_LIMITED or FORGE_DENIED, of which nothing follows; they are fresh, also where the forge said
 * that nothing changed. Writes throw nothing of their own and are sent once. Every list is whole, however many pages
 * it has. No token is in any text.
 */
export interface Api {
  /** name for messages: GitHub, GitLab */
  readonly name: string;
  /** title and body that it takes, in UTF-16 units */
  readonly titleLimit: number;
  /** how long what is asked again and again is left alone between two times */
  readonly everyMs: Ms;
  /** where its git is, and the web address of a pull request without its number */
  place(signal: AbortSignal): Promise<{ readonly gitUrl: string; readonly pullUrl: string }>;
  /** an `Authorization` header for its git; throws FORGE_DENIED where there is no token */
  gitHeader(): string;
  openPulls(signal: AbortSignal): Promise<readonly FarPull[]>;
  /** of one branch, in any state, oldest first */
  pullsOf(branch: string, signal: AbortSignal): Promise<readonly FarPull[]>;
  pull(number: number, signal: AbortSignal): Promise<FarPull | null>;
  create(draft: Draft, signal: AbortSignal): Promise<Written<FarPull>>;
  ready(pull: FarPull, signal: AbortSignal): Promise<Written<null>>;
  /** squashes `head`, and only that; `title` is the first line of `message` */
  merge(
    pull: FarPull,
    squash: { readonly head: Commit; readonly title: string; readonly message: string },
    signal: AbortSignal,
  ): Promise<Written<Commit>>;
  comments(number: number, signal: AbortSignal): Promise<readonly Comment[]>;
  /** `id` null: a new one */
  comment(number: number, id: string | null, text: string, signal: AbortSignal): Promise<Written<null>>;
}

export interface Draft {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export interface Comment {
  readonly id: string;
  readonly text: string;
}
