import { ENDING_KINDS, ENDINGS, type EndingCounts, sumOf } from "../../../domain/ending.ts";
import type { Task } from "../../../domain/task.ts";

/** What ended the workers of all these tasks. */
export const endingsOf = (tasks: readonly Task[]): EndingCounts => sumOf(tasks.map(({ endings = {} }) => endings));

/** `crash 2, rate limit 1`: what ended workers, other than their own verdicts; "" where nothing did. */
export const endingsText = (counts: EndingCounts): string =>
  ENDING_KINDS.filter((kind) => kind !== "verdict" && counts[kind])
    .map((kind) => `${ENDINGS[kind].says.replace(/^(the|nobody) .*/, kind)} ${counts[kind]}`)
    .join(", ");

/** A line of `pawl status`: only where workers have ended otherwise than by what they said. */
export function endingLines(tasks: readonly Task[]): readonly string[] {
  const text = endingsText(endingsOf(tasks));
  return text === "" ? [] : [`workers ended: ${text}`];
}
