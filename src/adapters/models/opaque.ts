import type { Turn } from "../../ports/model.ts";
import type { Extra } from "./dialect.ts";

/** A piece of an answer, in the order in which the model gave it. */
export type Piece =
  | { readonly kind: "thought"; readonly text: string; readonly extra: Extra | null }
  | { readonly kind: "text"; readonly text: string; readonly extra: Extra | null }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly name: string;
      readonly input: string;
      readonly extra: Extra | null;
    };

/**
 * What a turn keeps for its provider beside text and calls: the order of the pieces, signed thoughts, and what the
 * provider hangs on each piece. Texts of the answer are not held twice: only how long each piece of it is.
 */
interface Kept {
  /** the model that it is for; another one never sees it */
  readonly of: string;
  readonly pieces: readonly KeptPiece[];
}
type KeptPiece =
  | { readonly thought: string; readonly extra: Extra }
  | { readonly text: number; readonly extra?: Extra }
  | { readonly call: string; readonly extra?: Extra };

/** What is kept of these pieces for the model `of`; undefined where the provider wants to see nothing again. */
export function keep(of: string, pieces: readonly Piece[]): Kept | undefined {
  if (pieces.every(({ extra }) => extra === null)) return undefined;
  return { of, pieces: pieces.flatMap(kept) };
}

function kept(piece: Piece): readonly KeptPiece[] {
  const extra = piece.extra === null ? {} : { extra: piece.extra };
  if (piece.kind === "text") return [{ text: piece.text.length, ...extra }];
  if (piece.kind === "call") return [{ call: piece.id, ...extra }];
  // A thought that nobody signed is not accepted back.
  return piece.extra === null ? [] : [{ thought: piece.text, extra: piece.extra }];
}

type AssistantTurn = Extract<Turn, { readonly role: "assistant" }>;
/** A turn's pieces again: where the turn is not what was kept any more, its text and calls count, and nothing else. */
export function piecesOf(of: string, turn: AssistantTurn): readonly Piece[] {
  const found = isKept(turn.opaque) && turn.opaque.of === of ? restored(turn.opaque.pieces, turn) : null;
  return found ?? plain(turn);
}

const plain = ({ text, calls }: AssistantTurn): readonly Piece[] => [
  ...(text.trim() === "" ? [] : [{ kind: "text", text, extra: null } as const]),
  ...calls.map((call) => ({ kind: "call", id: call.id, name: call.name, input: inputOf(call), extra: null }) as const),
];

const inputOf = ({ args }: AssistantTurn["calls"][number]): string =>
  "text" in args ? args.text : JSON.stringify(args.json);

function restored(kept: readonly KeptPiece[], turn: AssistantTurn): readonly Piece[] | null {
  const calls = new Map(turn.calls.map((call) => [call.id, call]));
  const pieces: Piece[] = [];
  let at = 0;
  for (const one of kept) {
    const extra = one.extra ?? null;
    if ("thought" in one) pieces.push({ kind: "thought", text: one.thought, extra });
    else if ("text" in one) {
      pieces.push({ kind: "text", text: turn.text.slice(at, at + one.text), extra });
      at += one.text;
    } else {
      const call = calls.get(one.call);
      if (!call || !calls.delete(one.call)) return null;
      pieces.push({ kind: "call", id: call.id, name: call.name, input: inputOf(call), extra });
    }
  }
  return at === turn.text.length && calls.size === 0 ? pieces : null;
}

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" && value !== null && "of" in value && Array.isArray((value as Partial<Kept>).pieces);
