import type { Turn } from "../ports/model.ts";

/** Tokens of a text, about: a tokenizer would load megabytes to be a tenth closer. Never less than a quarter of its bytes. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3.6);

/** Tokens of a conversation, about. */
export const roughTokens = (turns: readonly Turn[]): number => turns.reduce((sum, turn) => sum + ofTurn(turn), 0);

function ofTurn(turn: Turn): number {
  switch (turn.role) {
    case "user":
      return tokensOf(turn.text) + (turn.pictures?.length ?? 0) * 1_500;
    case "assistant":
      return tokensOf(turn.text) + turn.calls.reduce((sum, call) => sum + tokensOf(JSON.stringify(call.args)) + 10, 0);
    case "results":
      return turn.results.reduce((sum, result) => sum + tokensOf(result.text) + 10, 0);
  }
}
