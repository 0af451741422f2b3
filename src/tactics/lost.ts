import type { Turn } from "../ports/model.ts";
import { withoutEdits } from "./task-state.ts";
import type { Goal } from "./worker-state.ts";

/** What a model is told of edits that somebody took away while no process was there. */
export const lostWords = (paths: readonly string[]): string =>
  `while this program was stopped, edits that no commit holds were taken away: ${paths.join(", ")} ${paths.length === 1 ? "is" : "are"} as the last commit has ${paths.length === 1 ? "it" : "them"}. Read before you go on, and make again what is still needed.`;

/**
 * A task whose edits are lost: its model is told in the next turn, with the results that it waits for, if it does. Where
 * nothing is left of them (`isAll`), moves that the edits proved are to be made again.
 */
export function afterLoss(goal: Goal, lost: readonly string[], isAll: boolean): Goal {
  const words = lostWords(lost);
  const task = isAll ? withoutEdits(goal.task, goal.pattern) : goal.task;
  if (goal.pending.length > 0) return { ...goal, task, notice: words };
  if (goal.chat.length === 0) return { ...goal, task, context: `${goal.context}\n${words}\n` };
  return { ...goal, task, chat: told(goal.chat, words) };
}

/** What has not been answered yet is added to: providers want no two turns of one side. */
function told(chat: readonly Turn[], words: string): readonly Turn[] {
  const last = chat.at(-1)!;
  if (last.role === "assistant") return [...chat, { role: "user", text: words }];
  const before = chat.slice(0, -1);
  if (last.role === "user") return [...before, { ...last, text: `${last.text}\n${words}` }];
  const results = last.results.map((one, at) => (at === 0 ? { ...one, text: `${one.text}\n${words}` } : one));
  return [...before, { ...last, results }];
}
