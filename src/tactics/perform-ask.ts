import { PawlError } from "../domain/errors.ts";
import type { Instant } from "../domain/names.ts";
import type { ModelAnswer, ModelCall, ModelRequest } from "../ports/model.ts";
import { contextOf } from "./context.ts";
import { isMisread, readExecutorDecision, readPlannerDecision } from "./decision.ts";
import type { Doing } from "./perform.ts";
import type { Asked } from "./record.ts";
import { compactionRequest, executorRequest, plannerRequest } from "./request.ts";
import type { WorkerEnd } from "./worker.ts";

/** Asks a model and writes down its answer. A provider that cannot be had now ends the process, and nothing is lost. */
export async function performAsk(who: Asked, doing: Doing): Promise<WorkerEnd | null> {
  try {
    const answer = await ask(who, requestOf(who, doing), doing);
    if (who === "planner") await tookPlan(answer, doing);
    if (who === "compaction") await tookSummary(answer, doing);
    return null;
  } catch (error) {
    const end = doing.signal.aborted ? ({ how: "stopped" } as const) : waiting(error);
    if (end) return end;
    throw error;
  }
}

function requestOf(who: Asked, { desk, parts }: Doing): ModelRequest {
  const { materials, tools, models } = parts;
  const state = desk.state!;
  switch (who) {
    case "planner":
      return plannerRequest(state, materials);
    case "executor":
      return executorRequest(state.goal!, { materials, tools, isNative: models.executor.hasTools });
    case "compaction":
      return compactionRequest(state.goal!, materials);
  }
}

async function ask(who: Asked, request: ModelRequest, { desk, parts, signal, heard }: Doing): Promise<ModelAnswer> {
  const answer = await parts.models[who].ask(request, {
    signal,
    news: (news) => heard(news.kind === "text" ? news.text : `waits: ${news.why}`),
  });
  const { text, usage, microUsd, opaque } = answer;
  const calls = who === "executor" ? callsOf(answer, desk.state!.spent.hops) : [];
  await desk.note({ r: "asked", who, text, calls, usage, microUsd, ...(opaque === undefined ? {} : { opaque }) });
  return answer;
}

/** A decision in JSON is a call like any other; both pass the same checks. */
function callsOf({ calls, text }: ModelAnswer, hop: number): readonly ModelCall[] {
  if (calls.length > 0) return calls;
  const read = readExecutorDecision(text);
  if (isMisread(read)) return [];
  const { action, tool, reasoning } = read.decision;
  const id = `said-${hop}`;
  switch (action) {
    case "CALL_TOOL":
      return [{ id, name: tool!.name, args: { json: tool!.args } }];
    case "DONE":
      return [{ id, name: "done", args: { json: { summary: reasoning } } }];
    case "ESCALATE":
      return [{ id, name: "escalate", args: { json: { reason: reasoning } } }];
  }
}

async function tookPlan({ text }: ModelAnswer, { desk }: Doing): Promise<void> {
  const read = readPlannerDecision(text);
  if (isMisread(read)) {
    const why = `that was no decision (${read.misread}): answer with the JSON object alone`;
    return desk.note({ r: "told", who: "planner", text: why });
  }
  return desk.note({ r: "decided", decision: read.decision });
}

/** The last turns stay, from an answer on: a result without its call is refused by providers. */
async function tookSummary({ text }: ModelAnswer, { desk, parts }: Doing): Promise<void> {
  const state = desk.state!;
  const { chat } = state.goal!;
  const from = chat.findLastIndex((turn, i) => turn.role === "assistant" && chat.length - i >= 4);
  const keep = from < 0 ? 0 : chat.length - from;
  const most = parts.materials.recipes.get("task_executor")?.token_budget.input_docs;
  return desk.note({ r: "compacted", summary: text, context: contextOf(state, most), keep });
}

function waiting(error: unknown): WorkerEnd | null {
  if (!(error instanceof PawlError) || !error.retryable) return null;
  const until = typeof error.data.until === "number" ? (error.data.until as Instant) : null;
  return { how: "waiting", code: error.code, until, why: error.message };
}
