import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { Limit } from "../../domain/budget.ts";
import { PawlError } from "../../domain/errors.ts";
import type { Assignment } from "../../protocol/assignment.ts";
import type { TaskFile } from "../../protocol/task-file.ts";
import { sendsBackOf } from "../config/assemble.ts";
import type { PawlFile } from "../config/pawl-file.ts";
import { readSpec, taskDefaults } from "../config/task-terms.ts";
import { readTicketFile } from "../config/written-task.ts";
import { guessChecks } from "../guessed-commands.ts";

export interface Ticket {
  readonly file: TaskFile;
  readonly limits: Assignment["limits"];
  /** what it may spend: its own `budget:`, else that of each task in pawl.yaml */
  readonly budget: Assignment["budget"];
  readonly branch: string;
}

/**
 * A ticket as a task: what it does not say is taken from pawl.yaml, then from what the repository shows. `path` is absolute.
 * Throws TICKET_MISSING, and the faults of a task file, all at once in `data.errors` of CONFIG_INVALID.
 */
export function readTicket(
  repo: string,
  path: string,
  of: { readonly pawl: Partial<PawlFile>; readonly base: string },
): Ticket {
  if (!existsSync(path))
    throw new PawlError("TICKET_MISSING", `there is no ticket ${path}`, {
      next: "pawl work TICKET.md: a Markdown file that says what is to be done.",
    });
  const task = readTicketFile(repo, relative(repo, resolve(path)).split(sep).join("/"));
  if (task.faults.length > 0) throw faulty(task.faults);
  if (task.body.trim() === "" && task.criteria.list.length === 0)
    throw new PawlError("TICKET_EMPTY", `${path} says nothing of what is to be done`, {
      next: "write it there: a title, and what has to be true afterwards.",
    });
  if (task.fields.environment?.name === "device")
    throw new PawlError("TICKET_ON_SCREEN", `${path} is to be done on a screen, and this works in a repository`, {
      at: task.fields.environment.at,
      next: 'pawl device run "GOAL" --on TARGET, or pawl run with an agent that has device: in pawl.yaml.',
    });
  const checks = of.pawl.checks ?? guessChecks(repo).map(({ run }) => ({ run, timeoutMs: 600_000, when: [] }));
  const defaults = taskDefaults(of.pawl, { phases: "default", base: of.base, checks });
  const names = { phases: "default", base: task.base?.name ?? of.base, agents: {}, isOnScreen: false, screens: [] };
  const spec = readSpec(task, names, defaults);
  const file = JSON.parse(Buffer.from(spec.bytes).toString("utf8")) as TaskFile;
  return { file, branch: spec.terms.branch, limits: sendsBackOf(of.pawl), budget: budgetOf(spec.terms.limit) };
}

function budgetOf({ microUsd, tokens, wallMs }: Limit): Assignment["budget"] {
  const budget = {
    ...(microUsd === null ? {} : { cost_usd: microUsd / 1e6 }),
    ...(tokens === null ? {} : { tokens }),
    ...(wallMs === null ? {} : { wall_ms: wallMs }),
  };
  return Object.keys(budget).length === 0 ? undefined : budget;
}

/** One fault is told as it is, with its place; several in one message, each with its own. */
function faulty(faults: readonly PawlError[]): PawlError {
  const [first, second] = faults;
  if (first && second === undefined) return first;
  const words = faults.map(({ message, at }) => `${at.file ?? "the ticket"}:${at.line ?? 1}: ${message}`);
  return new PawlError("CONFIG_INVALID", `the ticket has ${faults.length} faults: ${words.join("; ")}`, {
    ...(first?.next ? { next: first.next } : {}),
    data: { errors: faults },
  });
}

/** The assignment that a ticket comes to, for a worker that nobody spawned. */
export function assignmentFor(
  { file, branch, limits, budget }: Ticket,
  of: { readonly run: string; readonly worktree: string; readonly base: string },
): Assignment {
  return {
    message_type: "TASK_ASSIGNMENT",
    version: 1,
    agent_id: `work-${file.id}`,
    task_id: file.id,
    run: of.run,
    leg: `${of.run}.1`,
    phase: "work",
    role: "implementer",
    round: 0,
    title: file.title,
    body: file.body,
    ...(file.specification === null ? {} : { specification: file.specification }),
    acceptance_criteria: file.acceptanceCriteria,
    test_delta: file.testDelta,
    authorized_files: file.authorizedFiles,
    timeout_minutes: file.timeoutMinutes,
    findings: [],
    notes: [],
    worktree: of.worktree,
    branch,
    base: of.base,
    ...(budget === undefined ? {} : { budget }),
    ...(limits === undefined ? {} : { limits }),
    ...(file.filled.length === 0 ? {} : { filled: file.filled }),
  };
}
