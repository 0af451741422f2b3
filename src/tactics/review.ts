import { PawlError } from "../domain/errors.ts";
import type { Model, ModelRequest } from "../ports/model.ts";
import type { TaskFile } from "../protocol/task-file.ts";
import { isMisread } from "./decision.ts";
import { type DiffPart, diffParts } from "./diff-parts.ts";
import { type ReviewDecision, readReviewDecision } from "./review-decision.ts";

export interface ReviewOrder {
  readonly title: string;
  readonly body: string;
  readonly criteria: TaskFile["acceptanceCriteria"];
  /** a git patch of the whole change */
  readonly patch: string;
  readonly model: Model;
  /** what a reviewer is told (prompts/reviewer.md) */
  readonly prompt: string;
  readonly signal: AbortSignal;
}

export interface Review {
  readonly findings: ReviewDecision["findings"];
  /** criteria that no part of the change shows to be met */
  readonly unmet: readonly string[];
  /** files that were read in part only */
  readonly cut: readonly string[];
  readonly tokens: number;
  /** millionths of a US dollar; null: no price is known */
  readonly microUsd: number | null;
}

/** A criterion's text and the ticket's are read with each part: they have a fifth of the room at most. */
const BODY_CHARACTERS = 8_000;
const TRIES = 3;

/**
 * A model reads a change against the criteria. A change that is longer than the model
 * takes is read in parts: a criterion is met where one of them shows it, a finding of any part counts. An answer that
 * cannot be read is asked for again, twice; then MODEL_MISREAD. Whatever a model is asked throws as the model does.
 */
export async function review(order: ReviewOrder): Promise<Review> {
  const room = Math.max(4_000, Math.floor(order.model.context * 0.4) * 3);
  const parts = diffParts(order.patch, room);
  const met = new Set<string>();
  const findings: ReviewDecision["findings"] = [];
  const spent = { tokens: 0, microUsd: 0 as number | null };
  for (const [n, part] of parts.entries()) {
    const said = await readPart(order, part, { n: n + 1, of: parts.length, spent });
    for (const id of said.met) met.add(id);
    findings.push(...said.findings);
  }
  const unmet = order.criteria.map(({ id }) => id).filter((id) => !met.has(id));
  return { findings, unmet, cut: parts.flatMap(({ cut }) => cut), ...spent };
}

interface Place {
  readonly n: number;
  readonly of: number;
  readonly spent: { tokens: number; microUsd: number | null };
}

async function readPart(order: ReviewOrder, part: DiffPart, place: Place): Promise<ReviewDecision> {
  let why = "";
  for (let n = 0; n < TRIES; n++) {
    const request = requestFor(order, part, { ...place, why });
    const answer = await order.model.ask(request, { signal: order.signal });
    place.spent.tokens += answer.usage.input + answer.usage.output;
    place.spent.microUsd =
      place.spent.microUsd === null || answer.microUsd === null ? null : place.spent.microUsd + answer.microUsd;
    const read = readReviewDecision(answer.text);
    if (!isMisread(read)) return read.decision;
    why = read.misread;
  }
  throw new PawlError("MODEL_MISREAD", `${order.model.id} gave no review that can be read: ${why}`, {
    next: "use another model for the verifier, or none: agents: {verifier: {pawl: {model: NAME}}}.",
  });
}

function requestFor(
  { title, body, criteria, prompt }: ReviewOrder,
  { text }: DiffPart,
  { n, of, why }: Place & { readonly why: string },
): ModelRequest {
  const ticket = [
    `# ${title}`,
    body.slice(0, BODY_CHARACTERS),
    "Acceptance criteria:",
    ...criteria.map(({ id, text: words }) => `- ${id}: ${words}`),
  ];
  const again = why === "" ? [] : [`Your last answer could not be read: ${why}. Answer with the JSON object alone.`];
  const diff = [`The change${of > 1 ? `, part ${n} of ${of}` : ""}:`, "```diff", text.trimEnd(), "```"];
  return {
    system: prompt,
    turns: [{ role: "user", text: [...ticket, ...diff, ...again].join("\n") }],
    tools: [],
    choice: "auto",
    maxOutput: null,
    temperature: null,
  };
}
