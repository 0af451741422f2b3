import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Model } from "../../ports/model.ts";
import type { Assignment } from "../../protocol/assignment.ts";
import type { CompletionReport } from "../../protocol/report.ts";
import type { Verdict } from "../../protocol/verdict.ts";
import { evidenceFaults } from "../../tactics/owner-rules.ts";
import { type Review, review } from "../../tactics/review.ts";
import { packageRoot } from "../config/package-root.ts";
import type { ChangeHere } from "./change-here.ts";

type Findings = Verdict["findings"];

/** What came of looking at a change: beside its findings, one line for people, and what it cost. */
export interface Judged {
  readonly findings: Findings;
  readonly words: string;
  readonly usage?: NonNullable<Verdict["usage"]>;
  readonly criteria?: NonNullable<Verdict["criteria"]>;
}

/** Looks up what a report says of each criterion: the lines have to be there, and to be this branch's. No model is needed. */
export async function judgeEvidence(
  report: CompletionReport,
  assignment: Assignment,
  change: ChangeHere,
): Promise<Judged> {
  const files = new Set(report.report.ac_verification.flatMap(({ evidence }) => evidence.map(({ file }) => file)));
  const lines = new Map(await Promise.all([...files].map(async (file) => [file, await change.lines(file)] as const)));
  const line = (file: string, at: number): string | null => lines.get(file)?.[at - 1] ?? null;
  const faults = evidenceFaults(report, assignment, { ...change, line });
  const rows = assignment.acceptance_criteria.length;
  return {
    findings: faults.map((fault) => ({ key: `evidence:${fault.text}`, ...fault })),
    words: faults.length === 0 ? `evidence for ${rows} of ${rows} criteria` : `evidence: ${faults.length} faults`,
    ...(faults.length === 0 && rows > 0 ? { criteria: { met: rows, of: rows } } : {}),
  };
}

/** Lets a model read the change against the criteria. Throws as the model does: no verdict is better than an invented one. */
export async function judgeByModel(
  model: Model,
  assignment: Assignment,
  { change, signal }: { readonly change: ChangeHere; readonly signal: AbortSignal },
): Promise<Judged> {
  const { title, body, acceptance_criteria: criteria } = assignment;
  const prompt = readFileSync(join(packageRoot(), "prompts", "reviewer.md"), "utf8");
  const said = await review({ title, body, criteria, patch: change.patch, model, prompt, signal });
  const findings = [...said.findings.map((finding) => placed(finding, change)), ...said.unmet.map(unmet)];
  const cut = said.cut.length === 0 ? "" : `; of ${said.cut.join(", ")} only the beginning was read`;
  return {
    findings,
    words: `${findings.length === 0 ? "the change does what the ticket asks for" : `${findings.length} findings`}, read by ${model.id}${cut}`,
    usage: { tokens: said.tokens, ...(said.microUsd === null ? {} : { cost_usd: said.microUsd / 1e6 }) },
  };
}

/** A place that is not of this change is left out: it was made up. */
function placed({ ac, file, line, text }: Review["findings"][number], change: ChangeHere): Findings[number] {
  const isThere = typeof file === "string" && change.changed.has(file);
  const words = ac ? `${ac}: ${text}` : text;
  return {
    key: `review:${file ?? ""}:${words}`,
    text: words,
    ...(isThere ? { file } : {}),
    ...(isThere && typeof line === "number" ? { line } : {}),
  };
}

const unmet = (id: string): Findings[number] => ({
  key: `review:unmet:${id}`,
  text: `${id}: nothing in the change shows it to be met`,
});
