import { PawlError } from "../domain/errors.ts";
import type { ModelRequest, ToolSpec, Turn } from "../ports/model.ts";
import type { Tool } from "../ports/tool.ts";
import { contextOf } from "./context.ts";
import type { Materials } from "./materials.ts";
import { toolsOf } from "./pattern.ts";
import { type Doc, type Pack, pack } from "./recipe.ts";
import { modelName } from "./tool-names.ts";
import type { Goal, WorkerState } from "./worker-state.ts";

/** What the planner is asked: the whole context, and which task types there are. It has no tools. */
export function plannerRequest(state: WorkerState, materials: Materials): ModelRequest {
  const { system, docs, recipe } = packed("planner", materials, new Map([["context.md", contextDoc(state)]]));
  const types = [...materials.patterns.values()]
    .filter(({ name }) => name !== "plan" && name !== "report")
    .map(({ name, description }) => `- ${name}: ${description}`);
  return {
    system: `${system}\n\nTask types:\n${types.join("\n")}`,
    turns: [{ role: "user", text: docs }],
    tools: [],
    choice: "auto",
    maxOutput: null,
    temperature: recipe.temperature,
  };
}

/**
 * What the executor is asked. System text and tools stay the same over the whole task, and turns are only added: that is
 * what providers keep. `isNative`: the model takes tools; else they are told of in the text.
 */
export function executorRequest(
  goal: Goal,
  of: { readonly materials: Materials; readonly tools: ReadonlyMap<string, Tool>; readonly isNative: boolean },
): ModelRequest {
  const { system, docs, recipe } = packed("task_executor", of.materials, new Map([["context.md", () => goal.context]]));
  const specs = toolsOf(goal.pattern).flatMap((name) => specOf(of.tools.get(name)));
  const tools = [...specs, ...WORD_TOOLS];
  const told = of.isNative ? "" : `\n\n${asText(tools)}`;
  const summary = goal.summary === null ? "" : `\n\n## Before\n${goal.summary}`;
  return {
    system:
      [`${system}\n\n${goal.pattern.name}: ${goal.pattern.description}`, goal.pattern.prompt.trim()]
        .filter(Boolean)
        .join("\n") + told,
    turns: [{ role: "user", text: `${docs}${summary}` }, ...(of.isNative ? goal.chat : goal.chat.map(plainTurn))],
    tools: of.isNative ? tools : [],
    choice: "auto",
    maxOutput: null,
    temperature: recipe.temperature,
  };
}

/** Asks for what has to be known to go on without the conversation so far. */
export function compactionRequest(goal: Goal, materials: Materials): ModelRequest {
  const text = goal.chat.map(turnText).join("\n\n");
  const doc: Doc = (most) => text.slice(-most * 3);
  const { system, docs, recipe } = packed("compaction", materials, new Map([["conversation", doc]]));
  return {
    system,
    turns: [{ role: "user", text: docs }],
    tools: [],
    choice: "auto",
    maxOutput: null,
    temperature: recipe.temperature,
  };
}

const contextDoc =
  (state: WorkerState): Doc =>
  (most) =>
    contextOf(state, most);

function packed(
  name: string,
  { recipes, prompts }: Materials,
  docs: ReadonlyMap<string, Doc>,
): Pack & { recipe: NonNullable<ReturnType<Materials["recipes"]["get"]>> } {
  const recipe = recipes.get(name);
  if (!recipe)
    throw new PawlError("RECIPE_MISSING", `there is no recipe "${name}"`, { next: `see recipes/${name}.yaml` });
  return { ...pack(recipe, { fragments: prompts, docs }), recipe };
}

const specOf = (tool: Tool | undefined): readonly ToolSpec[] =>
  tool ? [{ name: modelName(tool.name), description: tool.description, input: tool.input }] : [];

/** What the executor says to us; native models call it as they call a tool. */
const WORD_TOOLS: readonly ToolSpec[] = [
  {
    name: "done",
    description: "The goals are met, and nothing is pending.",
    input: { type: "object", properties: { summary: { type: "string" } }, required: ["summary"] },
  },
  {
    name: "escalate",
    description: "The goals cannot be met: says why.",
    input: { type: "object", properties: { reason: { type: "string" } }, required: ["reason"] },
  },
];

const asText = (tools: readonly ToolSpec[]): string =>
  `Answer with one JSON object and nothing else, no words around it:
{"_type":"EXECUTOR_DECISION","action":"CALL_TOOL"|"DONE"|"ESCALATE","tool":{"name":"…","args":{…}},"reasoning":"…"}
Tools:
${tools
  .filter(({ name }) => name !== "done" && name !== "escalate")
  .map(({ name, description, input }) => `- ${name}: ${description} args: ${JSON.stringify(input)}`)
  .join("\n")}`;

/** For a model without tools of its own, calls and results are texts. */
function plainTurn(turn: Turn): Turn {
  if (turn.role === "assistant") return { role: "assistant", text: turn.text, calls: [] };
  return turn.role === "user" ? turn : { role: "user", text: turnText(turn) };
}

function turnText(turn: Turn): string {
  switch (turn.role) {
    case "user":
      return turn.text;
    case "assistant":
      return [turn.text, ...turn.calls.map((call) => `call ${call.name} ${JSON.stringify(call.args)}`)]
        .filter(Boolean)
        .join("\n");
    case "results":
      return turn.results.map(({ name, text, failed }) => `${name}${failed ? " failed" : ""}: ${text}`).join("\n");
  }
}
