import type { CommandOrder, CommandResult } from "../../ports/commands.ts";
import type { SearchQuery, SearchResult } from "../../ports/searcher.ts";
import type { EditResult, Sent } from "../edit/editor.ts";
import type { Plan } from "../edit/plan.ts";
import type { Settled } from "../edit/settle.ts";
import type { Checkout } from "../git/checkout.ts";
import type { Snapshot } from "../git/snapshot.ts";
import type { CodeIndex } from "../index/code-index.ts";
import type { RepoMap } from "../index/repo-map.ts";
import type { RankedFile } from "../relevance/rank.ts";
import type { ResultSummary } from "../results/read-results.ts";
import type { ScopeReport } from "../scope/guard.ts";
import type { RollbackOutcome } from "../scope/rollback.ts";
import type { HandsGit } from "./hands-git.ts";

/** What is searched; the rest has its usual value. Paths are from the top of the checkout, and stay below it. */
export type HandSearch = Pick<SearchQuery, "pattern"> & Partial<Omit<SearchQuery, "pattern" | "cwd" | "root">>;

/** A command of a worker; the sandbox is that of the hands. `cwd` is from the top of the checkout, which it is without one. */
export interface HandCommand extends Omit<CommandOrder, "cwd" | "sandbox"> {
  readonly cwd?: string;
}

/** How a command ended, and what became of what it wrote. */
export interface HandCommandResult extends CommandResult {
  /** null: nobody looked at the files, as everything may be written and nothing is to be rolled back */
  readonly scope: ScopeReport | null;
}

/**
 * Hands on one checkout: all that a worker, or an agent of somebody else, does to a repository goes through these.
 *
 * Contract: what it may write is settled when they are opened, and holds for edits (OUT_OF_SCOPE) and commands (put back,
 * set aside, and told) alike. Calls that write go one after the other, in the order in which they were made; the others may
 * be made at any time. Errors are PawlErrors of docs/errors.md; an edit, a command or a git that did not do what was
 * asked is a result. After `close` nothing that was started lives.
 */
export interface Hands {
  readonly on: Checkout;
  /** edits that a crash had broken off, and what became of them when these hands were opened */
  readonly recovered: readonly Settled[];
  search(query: HandSearch): Promise<SearchResult>;
  /** the code as it is now; only what changed since the last time is read */
  index(): Promise<CodeIndex>;
  /** what files define, as much as fits into so many tokens; `folder` is from the top */
  map(of: { readonly folder: string; readonly tokens: number }): Promise<RepoMap>;
  /** the files that a ticket is about, the most likely first */
  rank(ticket: string, limit: number): Promise<readonly RankedFile[]>;
  /** what an edit would come to; writes nothing. `known`: sha256 of files as they were read, by path */
  plan(sent: Sent, known?: ReadonlyMap<string, string>): Promise<Plan>;
  /** a unified diff of a plan */
  preview(plan: Plan): Uint8Array;
  /** all of it, durable; or nothing */
  edit(what: Plan | Sent): Promise<EditResult>;
  /** Throws COMMAND_DENIED, COMMAND_UNCLEAR, and what the port throws. */
  exec(command: HandCommand): Promise<HandCommandResult>;
  /** what a build or a test run said, in numbers and names */
  results(of: Pick<CommandResult, "stdout" | "stderr" | "exit_code">): ResultSummary;
  readonly git: HandsGit;
  /** the files as they are now, under a name that is used once; durable */
  snapshot(name: string): Promise<Snapshot>;
  /** all is well as it is now: where `rollback` goes back to, also in another process; durable */
  markGreen(): Promise<Snapshot>;
  /** takes what was written through these hands back to the last green state, and touches nothing else */
  rollback(): Promise<RollbackOutcome>;
  /** paths that were written through these hands, sorted: to be kept by who has to go on after a crash */
  written(): readonly string[];
  close(): Promise<void>;
}
