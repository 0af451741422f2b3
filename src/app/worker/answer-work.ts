import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { json, replaceFile } from "../../adapters/agents/files.ts";
import { PawlError } from "../../domain/errors.ts";
import { NO, YES } from "../../domain/gate.ts";
import type { Answer } from "../../protocol/answer.ts";
import { messageName } from "../../protocol/message.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import { mailboxOf } from "./mailbox.ts";
import { workRun } from "./work-runs.ts";

/** A run of `pawl work` that waits for a person. */
export interface WaitingWork {
  /** absolute */
  readonly run: string;
  readonly seq: number;
  readonly gate: "GO" | "NEXT";
}

/** The run of a ticket that waits for an answer; null: none does. `runs`: .pawl/runs */
export function waitingWork(runs: string, id: string): WaitingWork | null {
  if (!existsSync(join(runs, id))) return null;
  const { folder, isNew } = workRun(runs, id);
  const last = isNew ? undefined : mailboxOf(folder).at(-1);
  if (!last || last.answer !== null) return null;
  return { run: folder, seq: last.seq, gate: last.kind === "PLAN_SUBMISSION" ? "GO" : "NEXT" };
}

/** Puts a person's answer into that run's inbox; durable when this returns. Gives its type. Throws REFUSED where it does not fit. */
export function answerWork(
  { run, seq, gate }: WaitingWork,
  of: {
    readonly word: "go" | "next" | "feedback" | "fix" | "block";
    readonly message: string | null;
    readonly by: string;
  },
): Answer["message_type"] {
  const kind = of.word === "block" ? "BLOCKED" : (of.word.toUpperCase() as "GO" | "NEXT" | "FEEDBACK" | "FIX");
  if (kind !== "BLOCKED" && kind !== YES[gate] && kind !== NO[gate])
    throw new PawlError("REFUSED", `it waits at ${gate}, and ${of.word} is no answer there`, {
      next: `pawl ${YES[gate].toLowerCase()} | pawl ${NO[gate].toLowerCase()} -m "…" | pawl block -m "…"`,
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
  const inbox = join(run, RUN_FILES.inbox);
  mkdirSync(inbox, { recursive: true });
  replaceFile(join(inbox, messageName(seq, kind)), json(said));
  return kind;
}
