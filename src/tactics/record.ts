import type { Instant } from "../domain/names.ts";
import type { ModelCall, Usage } from "../ports/model.ts";
import type { ToolResult } from "../ports/tool.ts";
import type { Answer } from "../protocol/answer.ts";
import type { Assignment } from "../protocol/assignment.ts";
import type { Submission } from "../protocol/message.ts";
import type { WorkerStatus } from "../protocol/progress.ts";
import type { Skill } from "../workspace/skills/list-skills.ts";
import type { TreeLine } from "../workspace/tree-outline.ts";
import type { PlannerDecision } from "./decision.ts";
import type { Pattern } from "./pattern.ts";

/** One of the commands that prove work, and how it went on some files. */
export interface SuiteRun {
  readonly name: string;
  readonly command: string;
  readonly passed: boolean;
  /** names of tests that failed; empty where the output names none */
  readonly failing: readonly string[];
  /** for people and models: counts, the first failure with its place, the end of the output */
  readonly words: string;
  readonly ending: string;
}

/** A file that matters for the ticket, and why. */
export interface Relevant {
  readonly path: string;
  readonly why: string;
}

/** What was found before a plan was made. */
export interface Research {
  readonly files: readonly Relevant[];
  /** the specification's text that the task names; null: it names none */
  readonly specification: string | null;
  /** what the assignment says twice, and differently; empty: nothing */
  readonly conflicts: readonly string[];
  /** instructions of the repository to agents (AGENTS.md) */
  readonly instructions: string | null;
  /** skills that may be read; a journal of before has none */
  readonly skills?: readonly Skill[];
  /** what stood in the task tree before this run, a line a node; a journal of before has none */
  readonly tree?: readonly TreeLine[];
}

/** Who is asked: each has a model, a recipe and a contract of its own. */
export type Asked = "planner" | "executor" | "compaction";

interface Of<K extends string> {
  readonly r: K;
  /** of when it was written */
  readonly at: Instant;
}

/**
 * What a worker's journal holds, one JSON text a line, in order. Facts only: a state is folded from them (evolve), what
 * comes next is computed from the state (next), and nothing else is kept. `started` is on the disk before its call is
 * made; whatever has a `started` and no `ended` after a crash is unknown.
 */
export type JournalRecord =
  | (Of<"began"> & {
      readonly assignment: Assignment;
      readonly head: string | null;
      /** models by who is asked, as PROVIDER/MODEL */
      readonly models: Readonly<{ [who in Asked]: string }>;
      /** "r-" and a uuid; and the name of its file below runs/ */
      readonly run_id: string;
      readonly run_log: string;
    })
  /** `lost`: paths that were edited since the last commit, and are as that has them: somebody took the edits away meanwhile */
  | (Of<"resumed"> & { readonly leg: string; readonly lost?: readonly string[] })
  | (Of<"moved"> & { readonly status: WorkerStatus; readonly percent: number; readonly activity: string })
  | (Of<"researched"> & { readonly research: Research })
  | (Of<"baseline"> & { readonly suites: readonly SuiteRun[] })
  | (Of<"opened"> & {
      /** whole, as it was then: a pattern that is edited later changes nothing that goes on */
      readonly pattern: Pattern;
      readonly goals: readonly string[];
      readonly reasoning: string;
      /** what context.md holds already, as moves name it in `found_in_context` */
      readonly found: readonly string[];
      /** the conversation's first message, cut to its recipe's budget */
      readonly context: string;
    })
  | (Of<"asked"> & {
      readonly who: Asked;
      readonly text: string;
      readonly calls: readonly ModelCall[];
      readonly usage: Usage;
      readonly microUsd: number | null;
      readonly opaque?: unknown;
    })
  | (Of<"told"> & { readonly who: Asked; readonly text: string })
  | (Of<"started"> & {
      readonly id: string;
      readonly tool: string;
      readonly args: Readonly<{ [name: string]: unknown }>;
    })
  | (Of<"ended"> & { readonly id: string; readonly result: ToolResult })
  | (Of<"refused"> & { readonly id: string; readonly tool: string; readonly why: string })
  /** `changed`: paths that differ from the last commit, and that the call may have written */
  | (Of<"unknown"> & { readonly id: string; readonly changed?: readonly string[] })
  | (Of<"closed"> & { readonly how: "done" | "escalated" | "steps" | "stuck"; readonly words: string })
  | (Of<"decided"> & { readonly decision: PlannerDecision })
  | (Of<"validated"> & { readonly suites: readonly SuiteRun[] })
  | (Of<"committed"> & { readonly commit: string | null; readonly files: readonly string[]; readonly pushed: boolean })
  /** git, or a hook of it, did not take a commit */
  | (Of<"unsaved"> & { readonly why: string })
  | (Of<"submitted"> & { readonly seq: number; readonly message: Submission })
  | (Of<"answered"> & { readonly seq: number; readonly answer: Answer; readonly name?: string })
  | (Of<"compacted"> & { readonly summary: string; readonly context: string; readonly keep: number })
  | (Of<"warned"> & { readonly what: "time" | "stuck" | "budget"; readonly text: string })
  | (Of<"finished"> & { readonly verdict: "PASS" | "FAIL" | "BLOCKED" | "NO_CHANGE"; readonly detail: string });
