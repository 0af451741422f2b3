import type { Model, ModelAnswer, ModelRequest } from "../../src/ports/model.ts";

/** What a scripted mind says to one question: words, calls, or both. */
export interface Says {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[];
}

/** A model in this process whose answers are computed from what it is asked; keeps every question. */
export interface ScriptedMind extends Model {
  readonly asked: readonly ModelRequest[];
}

export function scriptedMind(
  answer: (request: ModelRequest, n: number) => Says | Promise<Says>,
  /** `before`: how many questions it was asked in earlier lives */
  of: { tools?: boolean; before?: number } = {},
): ScriptedMind {
  const asked: ModelRequest[] = [];
  return {
    name: "scripted",
    id: "scripted/mind",
    context: 100_000,
    hasTools: of.tools ?? true,
    asked,
    async ask(request, { signal }): Promise<ModelAnswer> {
      signal.throwIfAborted();
      asked.push(structuredClone(request));
      const n = (of.before ?? 0) + asked.length;
      const { text = "", calls = [] } = await answer(request, n);
      signal.throwIfAborted();
      return {
        text,
        calls: calls.map(({ name, args }, i) => ({
          id: `c${n}-${i}`,
          name,
          args: typeof args === "string" ? { text: args } : { json: args },
        })),
        stop: calls.length > 0 ? "calls" : "end",
        usage: { input: 100, cached: 0, written: 0, output: 10 },
        microUsd: 1_000,
      };
    },
  };
}

/** Who is asked, by what the question looks like: the planner has no tools, and says so in its system text. */
export const isPlanner = ({ system }: ModelRequest): boolean => system.includes("You are the planner");
export const patternIn = ({ system }: ModelRequest): string => /\n\n([a-z_]+): /.exec(system)?.[1] ?? "";
export const plannerSays = (decision: Record<string, unknown>): Says => ({
  text: JSON.stringify({ _type: "PLANNER_DECISION", ...decision }),
});
