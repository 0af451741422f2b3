/** Calls that lead nowhere: the same one again and again, or the same tool with nothing to show. */
export interface Streak {
  /** tool and arguments of the last call */
  readonly key: string;
  readonly same: number;
  readonly emptyTool: string;
  readonly empty: number;
}

export const NO_STREAK: Streak = { key: "", same: 0, emptyTool: "", empty: 0 };

/** At this many in a row it is told so, and at that many the task goes back to the planner. */
export const WARN_AT = 3;
export const STOP_AT = 5;

export function afterCall(
  streak: Streak,
  call: { readonly tool: string; readonly args: unknown; readonly isEmpty: boolean },
): Streak {
  const key = `${call.tool} ${canonical(call.args)}`;
  return {
    key,
    same: key === streak.key ? streak.same + 1 : 1,
    emptyTool: call.isEmpty ? call.tool : "",
    empty: call.isEmpty ? (call.tool === streak.emptyTool ? streak.empty + 1 : 1) : 0,
  };
}

/** What is wrong, in words for the model; null: nothing. */
export function stuckWords({ same, empty, emptyTool }: Streak): string | null {
  if (same >= WARN_AT) return `The same call was made ${same} times in a row; at ${STOP_AT} this task is stopped.`;
  if (empty >= WARN_AT)
    return `${emptyTool} came to nothing ${empty} times in a row; at ${STOP_AT} this task is stopped.`;
  return null;
}

export const isStuck = ({ same, empty }: Streak): boolean => same >= STOP_AT || empty >= STOP_AT;

/** The same text for the same value, whatever the order of its keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? "";
