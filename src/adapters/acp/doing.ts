import { PERCENT, type WorkerStatus } from "../../protocol/progress.ts";
import type { PlanEntry, Update } from "./update.ts";

/** What an agent has said and done so far, as little of it as is needed: it does not grow with the number of updates. */
export interface Doing {
  readonly status: WorkerStatus;
  readonly percent: number;
  readonly activity: string;
  readonly plan: readonly PlanEntry[];
  /** the last message: its end, at most 16,000 characters */
  readonly message: string;
  /** whether the next piece belongs to that message */
  readonly isTalking: boolean;
  /** tool calls that go on, by their ids; at most 200 */
  readonly open: ReadonlyMap<string, { readonly title: string; readonly does: string }>;
  readonly calls: number;
  readonly failed: number;
  /** of the session, as the agent counts */
  readonly costUsd: number | null;
  /** tokens in its context, and how many fit */
  readonly context: { readonly used: number; readonly size: number } | null;
}

export const nothingDone: Doing = {
  status: "initializing",
  percent: 0,
  activity: "",
  plan: [],
  message: "",
  isTalking: false,
  open: new Map(),
  calls: 0,
  failed: 0,
  costUsd: null,
  context: null,
};

const MOST_MESSAGE = 16_000;
const MOST_OPEN = 200;
const MOST_PLAN = 100;

/** The same with one more update. */
export function after(doing: Doing, update: Update): Doing {
  switch (update.kind) {
    case "message":
      return said(doing, update.text);
    case "tool":
      return called({ ...doing, isTalking: false }, update);
    case "plan":
      return planned({ ...doing, isTalking: false }, update.entries.slice(0, MOST_PLAN));
    case "usage":
      return {
        ...doing,
        costUsd: update.costUsd ?? doing.costUsd,
        context: { used: update.used, size: update.size },
      };
    case "thought":
      return at({ ...doing, isTalking: false }, "researching", "thinks");
    case "prompt":
    case "notice":
    case "other":
      return doing;
  }
}

function said(doing: Doing, text: string): Doing {
  const message = `${doing.isTalking ? doing.message : ""}${text}`.slice(-MOST_MESSAGE);
  return { ...doing, message, isTalking: true };
}

function called(doing: Doing, { id, title, does, status }: Extract<Update, { kind: "tool" }>): Doing {
  const before = doing.open.get(id);
  const call = { title: title ?? before?.title ?? "something", does: does ?? before?.does ?? "other" };
  const isOver = status === "completed" || status === "failed";
  const open = new Map(doing.open);
  open.delete(id);
  if (!isOver) open.set(id, call);
  const [oldest] = open.keys();
  if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
  const counted = {
    ...doing,
    open,
    calls: doing.calls + (before === undefined ? 1 : 0),
    failed: doing.failed + (status === "failed" ? 1 : 0),
  };
  return at(counted, READS.has(call.does) ? "researching" : "implementing", call.title);
}
const READS: ReadonlySet<string> = new Set(["read", "search", "think", "fetch"]);

function planned(doing: Doing, plan: readonly PlanEntry[]): Doing {
  const now = plan.find(({ status }) => status === "in_progress");
  return at({ ...doing, plan }, plan.some(isDone) ? "implementing" : "researching", now?.text ?? doing.activity);
}

const isDone = ({ status }: PlanEntry): boolean => status === "completed";

/** Only onwards: who reads once more what it has written is not back at the beginning. */
function at(doing: Doing, status: "researching" | "implementing", activity: string): Doing {
  const isOn = doing.status === "initializing" || status === "implementing";
  const next = isOn ? status : doing.status;
  return { ...doing, status: next, percent: percentOf(next, doing), activity: activity.slice(0, 200) };
}

/** By the plan where there is one; else each call brings it nearer to an end that it does not reach. */
function percentOf(status: WorkerStatus, { plan, calls, percent }: Doing): number {
  const [least, most] = PERCENT[status];
  const share = plan.length > 0 ? plan.filter(isDone).length / plan.length : 1 - 20 / (20 + calls);
  return Math.max(percent, Math.round(least + (most - least) * share));
}
