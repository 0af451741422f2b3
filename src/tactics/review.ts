import type { Model } from "../ports/model.ts";
import type { TaskFile } from "../protocol/task-file.ts";
import { askForJson, type Cost } from "./ask-for-json.ts";
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
  const cost: Cost = { tokens: 0, microUsd: 0 };
  for (const [n, part] of parts.entries()) {
    const said = await readPart(order, part, { n: n + 1, of: parts.length, cost });
    for (const id of said.met) met.add(id);
    findings.push(...said.findings);
  }
  const unmet = order.criteria.map(({ id }) => id).filter((id) => !met.has(id));
  return { findings, unmet, cut: parts.flatMap(({ cut }) => cut), ...cost };
}

interface Place {
  readonly n: number;
  readonly of: number;
  readonly cost: Cost;
}

const readPart = (order: ReviewOrder, part: DiffPart, place: Place): Promise<ReviewDecision> =>
  askForJson(order.model, {
    system: order.prompt,
    text: textFor(order, part, place),
    read: readReviewDecision,
    cost: place.cost,
    signal: order.signal,
  });

function textFor(order: ReviewOrder, { text }: DiffPart, { n, of }: Place): string {
  const diff = [`The change${of > 1 ? `, part ${n} of ${of}` : ""}:`, "```diff", text.trimEnd(), "```"];
  return [...ticketLines(order), ...diff].join("\n");
}

/** A ticket as reviewers read it. */
export const ticketLines = ({
  title,
  body,
  criteria,
}: Pick<ReviewOrder, "title" | "body" | "criteria">): readonly string[] => [
  `# ${title}`,
  body.slice(0, BODY_CHARACTERS),
  "Acceptance criteria:",
  ...criteria.map(({ id, text: words }) => `- ${id}: ${words}`),
];
