import { objectOf } from "./update.ts";

/** Tokens of one turn, in and out, by what its answer says; null: it does not say. Agents differ in where they say it. */
export function tokensIn(answer: unknown): number | null {
  const { usage, _meta } = objectOf(answer);
  const { token_count } = objectOf(objectOf(_meta).quota);
  return sumOf(usage, ["totalTokens"]) ?? sumOf(usage, ["inputTokens", "outputTokens"]) ?? sumOf(token_count, GEMINI);
}
const GEMINI = ["input_tokens", "output_tokens"];

function sumOf(value: unknown, names: readonly string[]): number | null {
  const found = names.map((name) => objectOf(value)[name]).filter((n): n is number => typeof n === "number" && n >= 0);
  return found.length === 0 ? null : found.reduce((sum, n) => sum + n, 0);
}
