import type { Turn } from "../../ports/model.ts";

/** Turns for a model that takes no tools: its calls as the JSON that it wrote, their results as words to it. */
export const inWords = (turns: readonly Turn[]): readonly Turn[] => turns.map(inWordsOf);

function inWordsOf(turn: Turn): Turn {
  if (turn.role === "results")
    return { role: "user", text: turn.results.map((one) => `${head(one)}\n${one.text}`).join("\n\n") };
  if (turn.role !== "assistant" || turn.calls.length === 0) return turn;
  const calls = turn.calls.map(({ name, args }) =>
    "text" in args ? args.text : JSON.stringify({ name, args: args.json }),
  );
  return { role: "assistant", text: [turn.text, ...calls].filter((text) => text.trim() !== "").join("\n"), calls: [] };
}

const head = ({ name, failed }: { readonly name: string; readonly failed: boolean }): string =>
  failed ? `${name} failed:` : `Result of ${name}:`;
