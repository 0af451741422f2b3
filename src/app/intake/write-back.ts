import type { Written } from "../../adapters/forge/remote/api.ts";
import type { Issues } from "../../adapters/forge/remote/issue.ts";
import { keyLine } from "../../adapters/forge/remote/pull-request.ts";
import type { Task } from "../../domain/task.ts";

/** What came of telling an issue where its task is. */
export type ToldBack =
  | { readonly kind: "said" | "same" }
  /** `again`: when it may be tried (ms since 1970); null: it is refused */
  | { readonly kind: "not"; readonly why: string; readonly again: number | null };

/** One comment at the issue, ours, with these words: edited where it says others, never a second one. Throws FORGE_*. */
export async function writeBack(
  issues: Issues,
  { number, task, signal }: { number: number; task: Task; signal: AbortSignal },
): Promise<ToldBack> {
  const key = keyLine(`intake/${task.id}`);
  const wanted = `${key}\n${wordsFor(task)}`;
  const ours = (await issues.comments(number, signal)).find(({ text }) => text.startsWith(key));
  if (ours?.text === wanted) return { kind: "same" };
  const written = await issues.comment(number, ours?.id ?? null, wanted, signal);
  return written.kind === "ok" ? { kind: "said" } : { kind: "not", why: written.detail, again: againAfter(written) };
}

/** What may have arrived is looked for by its key before it is written again. */
function againAfter(written: Exclude<Written<null>, { kind: "ok" }>): number | null {
  if (written.kind === "later") return written.until;
  return written.kind === "doubt" ? 0 : null;
}

/** What an agent or a command said is shown as it is: it may name people, who would be called by it. */
export function wordsFor(task: Task): string {
  const where = task.phase === null ? "" : ` at \`${task.phase}\``;
  const pr = task.pr === null || task.pr.startsWith("pawl:") ? [] : [task.pr];
  const why = task.status === "failed" && task.why !== null ? [`\`${plain(task.why)}\``] : [];
  return [`**Pawl** has this as task \`${task.id}\`: ${task.status}${where}.`, ...why, ...pr].join("\n\n");
}

const plain = (text: string): string =>
  text
    .replace(/[`\s]+/g, " ")
    .trim()
    .slice(0, 300);
