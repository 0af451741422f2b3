import { existsSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import { NO, YES } from "../../domain/gate.ts";
import type { Answer } from "../../protocol/answer.ts";
import { askedOf, saidBy, sayAs } from "./human-owner.ts";
import { mailboxOf } from "./mailbox.ts";
import { workRun } from "./work-runs.ts";

/** A run of `pawl work` that waits for a person. */
export interface WaitingWork {
  /** absolute */
  readonly run: string;
  readonly seq: number;
  readonly gate: "GO" | "NEXT";
  /** the owners before them have said yes; else it is not their turn */
  readonly isTheirs: boolean;
}

/** The run of a ticket that waits for an answer; null: none does. `runs`: .pawl/runs */
export function waitingWork(runs: string, id: string): WaitingWork | null {
  if (!existsSync(join(runs, id))) return null;
  const { folder, isNew } = workRun(runs, id);
  const last = isNew ? undefined : mailboxOf(folder).at(-1);
  if (!last || last.answer !== null) return null;
  return {
    run: folder,
    seq: last.seq,
    isTheirs: askedOf(folder) === last.seq,
    gate: last.kind === "PLAN_SUBMISSION" ? "GO" : "NEXT",
  };
}

/** Keeps a person's answer for that run; durable when this returns. Gives its type. Throws REFUSED where it does not fit. */
export function answerWork(
  { run, seq, gate, isTheirs }: WaitingWork,
  of: {
    readonly word: "go" | "next" | "feedback" | "fix" | "block";
    readonly message: string | null;
    readonly by: string;
  },
): Answer["message_type"] {
  if (!isTheirs)
    throw new PawlError("REFUSED", `it waits at ${gate}, and not for a person`, {
      next: "the same pawl work command goes on; gates: {go: [rules, human], next: [rules, human]} in pawl.yaml asks you.",
    });
  const kind = of.word === "block" ? "BLOCKED" : (of.word.toUpperCase() as "GO" | "NEXT" | "FEEDBACK" | "FIX");
  if (kind !== "BLOCKED" && kind !== YES[gate] && kind !== NO[gate])
    throw new PawlError("REFUSED", `it waits at ${gate}, and ${of.word} is no answer there`, {
      next: `pawl ${YES[gate].toLowerCase()} | pawl ${NO[gate].toLowerCase()} -m "…" | pawl block -m "…"`,
    });
  const earlier = saidBy(run, seq);
  if (earlier !== null)
    throw new PawlError("REFUSED", `${earlier.message_type} of ${earlier.by} is noted for it already`, {
      next: "the same pawl work command goes on with that; at its next gate it can be answered anew.",
    });
  const text = of.message ?? "";
  const about = gate === "GO" ? "plan" : "code";
  const said = {
    message_type: kind,
    by: of.by,
    sent_at: new Date().toISOString(),
    ...(kind === NO[gate] ? { issues: [{ id: "H1", text, about }] } : {}),
    ...(kind === "BLOCKED" ? { reason: text } : {}),
  };
  sayAs(run, seq, said);
  return kind;
}
