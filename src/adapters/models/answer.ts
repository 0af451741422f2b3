import type { ModelAnswer, ModelCall, Usage } from "../../ports/model.ts";
import { keep, type Piece } from "./opaque.ts";

/** What a provider gave, before it is the port's answer. */
export interface Given {
  readonly pieces: readonly Piece[];
  readonly stop: ModelAnswer["stop"];
  /** null: it did not say */
  readonly usage: Usage | null;
}

/** The port's answer. `of`: the model that opaque parts are for. `asked`: characters of the request, to estimate by. */
export function answerOf(given: Given, { of, asked, cost }: Of): ModelAnswer {
  const pieces = withOwnIds(given.pieces);
  const text = pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
  const calls = pieces.flatMap((piece) => (piece.kind === "call" ? [callOf(piece)] : []));
  const usage = given.usage ?? estimated(asked, given.pieces);
  const opaque = keep(of, pieces);
  const stop =
    given.stop === "end" && calls.length > 0
      ? "calls"
      : given.stop === "calls" && calls.length === 0
        ? "end"
        : given.stop;
  return { text, calls, stop, usage, microUsd: cost(usage), ...(opaque === undefined ? {} : { opaque }) };
}
interface Of {
  readonly of: string;
  readonly asked: number;
  readonly cost: (usage: Usage) => number | null;
}

type Call = Extract<Piece, { readonly kind: "call" }>;
const callOf = ({ id, name, input }: Call): ModelCall => ({ id, name, args: argsOf(input) });

/** What a model wrote is never mended here; an empty text stands for no arguments. */
function argsOf(input: string): ModelCall["args"] {
  if (input.trim() === "") return { json: {} };
  try {
    return { json: JSON.parse(input) as unknown };
  } catch {
    return { text: input };
  }
}

/** Each call gets an id that no other of this answer has: some servers give none, or one for all. */
function withOwnIds(pieces: readonly Piece[]): readonly Piece[] {
  const taken = new Set<string>();
  return pieces.map((piece, i) => {
    if (piece.kind !== "call") return piece;
    const id = piece.id !== "" && !taken.has(piece.id) ? piece.id : `${piece.id || "call"}_${i}`;
    taken.add(id);
    return { ...piece, id };
  });
}

/** Where a server counts nothing: four characters to a token, which is more tokens than most texts have. */
function estimated(asked: number, pieces: readonly Piece[]): Usage {
  const said = pieces.reduce((sum, piece) => sum + (piece.kind === "call" ? piece.input.length : piece.text.length), 0);
  return { input: Math.ceil(asked / 4), cached: 0, written: 0, output: Math.ceil(said / 4) };
}
