import { treeOutline } from "../workspace/tree-outline.ts";
import type { Action } from "./action.ts";
import { contextOf } from "./context.ts";
import type { Desk } from "./desk.ts";
import { taskFor } from "./evolve.ts";
import { nodesOf } from "./nodes.ts";
import { performAsk } from "./perform-ask.ts";
import { performCall } from "./perform-call.ts";
import { performAwait, performFinish, performSubmit } from "./perform-gate.ts";
import type { Research } from "./record.ts";
import type { WorkerEnd, WorkerParts } from "./worker.ts";

export interface Doing {
  readonly desk: Desk;
  readonly parts: WorkerParts;
  readonly signal: AbortSignal;
  /** parts of a model's answer, and of a command's output */
  readonly heard: (text: string) => void;
}

/** Does one action and writes down what came of it. A value where the process is to end, null where it goes on. */
export async function perform(action: Action, doing: Doing): Promise<WorkerEnd | null> {
  const { desk } = doing;
  switch (action.do) {
    case "move":
      await desk.note({ r: "moved", status: action.status, percent: 0, activity: action.activity });
      return null;
    case "research":
      await desk.note({ r: "researched", research: await researched(doing) });
      return null;
    case "baseline":
      await desk.note({ r: "baseline", suites: await suites(doing, "base") });
      return null;
    case "open":
      return open(action, doing);
    case "ask":
      return performAsk(action.who, doing);
    case "tell":
      await desk.note({ r: "told", who: action.who, text: action.text });
      return null;
    case "call":
      return performCall(action, doing);
    case "refuse":
      await desk.note({ r: "refused", id: action.call.id, tool: action.tool, why: action.why });
      return null;
    case "mark-unknown":
      return markUnknown(action.id, doing);
    case "close":
      await desk.note({ r: "closed", how: action.how, words: action.words });
      return null;
    case "validate":
      await desk.note({ r: "validated", suites: await suites(doing, "worktree") });
      return null;
    case "commit":
      return commit(doing);
    case "submit":
      return performSubmit(action.what, doing);
    case "await":
      return performAwait(action.seq, doing);
    case "warn":
      await desk.note({ r: "warned", what: action.what, text: action.text });
      return null;
    case "finish":
      return performFinish(action, doing);
    case "stop":
      return null;
  }
}

/** What a call wrote that a crash cut off is ours all the same: else it would never be committed. */
async function markUnknown(id: string, { desk, parts }: Doing): Promise<null> {
  const { done } = desk.state!;
  const isWriting = parts.tools.get(done.at(-1)?.tool ?? "")?.writes ?? true;
  const dirty = isWriting ? await parts.hands.dirty() : [];
  const changed = dirty.filter((path) => path !== parts.tree.committed);
  await desk.note({ r: "unknown", id, changed });
  return null;
}

async function researched({ desk, parts }: Doing): Promise<Research> {
  const tree = parts.tree.read();
  return { ...(await parts.hands.research(desk.state!.assignment)), tree: tree === null ? [] : treeOutline(tree) };
}

const suites = ({ desk, parts, signal }: Doing, on: "worktree" | "base") =>
  parts.hands.runSuites(desk.state!.assignment, { on, signal });

/** A task type that is not there is told to the planner; its context is frozen as the conversation's first message. */
async function open(action: Extract<Action, { do: "open" }>, { desk, parts }: Doing): Promise<null> {
  const { patterns, recipes } = parts.materials;
  const pattern = patterns.get(action.type);
  if (!pattern) {
    const known = [...patterns.keys()].filter((name) => name !== "plan" && name !== "report");
    await desk.note({
      r: "told",
      who: "planner",
      text: `there is no task type "${action.type}"; known: ${known.join(", ")}`,
    });
    return null;
  }
  const found = desk.state!.assignment.notes.some((note) => note.startsWith("research:")) ? ["research"] : [];
  const goal = { pattern, goals: action.goals, task: taskFor(desk.state!.goal, pattern, found), over: null };
  const most = recipes.get("task_executor")?.token_budget.input_docs;
  const context = contextOf({ ...desk.state!, goal: { ...EMPTY, ...goal } }, most);
  await desk.note({ r: "opened", pattern, goals: action.goals, reasoning: action.reasoning, found, context });
  return null;
}
const EMPTY = {
  context: "",
  chat: [],
  pending: [],
  isInFlight: false,
  results: [],
  misread: 0,
  refusedDone: 0,
  summary: null,
};

/** One commit for each task that changed something; published only where the suites passed. The task tree goes with it. */
async function commit({ desk, parts }: Doing): Promise<null> {
  const { assignment, goal, uncommitted, head, validated } = desk.state!;
  const what = goal?.goals[0] ?? assignment.title;
  const message = `${assignment.task_id}: ${what.split("\n")[0]!.slice(0, 100)}`;
  const push = (validated ?? []).every((run) => run.passed);
  const paths = [...uncommitted, ...(parts.tree.committed === null ? [] : [parts.tree.committed])];
  updateTree(desk, parts);
  const made = await parts.hands.commit({ message, paths, from: head, push });
  if (made.refused !== undefined) {
    await desk.note({ r: "unsaved", why: made.refused });
    return null;
  }
  await desk.note({ r: "committed", commit: made.commit, files: made.files, pushed: made.pushed });
  updateTree(desk, parts);
  return null;
}

/** Brings what is known of the criteria into the task tree. */
export function updateTree({ state }: Desk, { tree, say }: Pick<WorkerParts, "tree" | "say">): void {
  const { task_id: id, title } = state!.assignment;
  const fault = tree.update({ id, title, nodes: nodesOf(state!) });
  if (fault) say(`note: ${fault}`);
}
