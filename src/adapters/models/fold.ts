import type { Usage } from "../../ports/model.ts";
import type { Given } from "./answer.ts";
import { classify } from "./classify.ts";
import type { Extra, Streamed, Whole } from "./dialect.ts";
import { type AskFailed, failureIn, passes } from "./failure.ts";
import type { Piece } from "./opaque.ts";

/** What is heard while an answer comes. */
export interface Ear {
  /** more of the answer's text */
  readonly text: (part: string) => void;
  /** the model is writing: text, or a call's arguments */
  readonly writing: () => void;
  /** ms since 1970 */
  readonly now: () => number;
}

/** A stream to its end. Throws AskFailed where it holds an error, or stops without saying that it ended. */
export async function fold(stream: ReadableStream<Streamed>, ear: Ear): Promise<Given> {
  const heap = new Heap();
  let finish: Finish | null = null;
  for await (const part of stream) {
    if (part.type === "error") throw failureIn(part.error) ? part.error : saidInStream(part.error, ear.now());
    if (part.type === "finish") finish = part;
    else heap.take(part, ear);
  }
  if (finish === null) throw passes("its answer was cut");
  return given(heap.pieces(), finish);
}

/** An answer that came whole. */
export const wholeOf = (whole: Whole): Given =>
  given(
    whole.content.flatMap((part): readonly Piece[] => {
      const extra = (part.providerMetadata as Extra | undefined) ?? null;
      if (part.type === "text" || part.type === "reasoning")
        return [{ kind: part.type === "text" ? "text" : "thought", text: part.text, extra }];
      if (part.type !== "tool-call") return [];
      return [{ kind: "call", id: part.toolCallId, name: part.toolName, input: part.input, extra }];
    }),
    whole,
  );

type Finish = Pick<Whole, "finishReason" | "usage" | "providerMetadata">;

function given(pieces: readonly Piece[], finish: Finish): Given {
  return { pieces, stop: stopOf(finish), usage: usageOf(finish.usage) };
}

function stopOf({ finishReason: { unified, raw }, providerMetadata }: Finish): Given["stop"] {
  if (unified === "length") return "length";
  if (unified === "content-filter" || isBlocked(providerMetadata)) return "refused";
  if (unified === "tool-calls") return "calls";
  if (unified === "error") throw passes(`it gave up (${raw ?? "error"})`);
  if (raw === undefined && unified === "other") throw passes("its answer was cut");
  return "end";
}

/** Google blocks a prompt without any answer. */
const isBlocked = (metadata: Finish["providerMetadata"]): boolean =>
  (metadata?.google?.promptFeedback as { blockReason?: unknown } | null | undefined)?.blockReason !== undefined;

function usageOf({ inputTokens, outputTokens }: Whole["usage"]): Usage | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  const cached = inputTokens.cacheRead ?? 0;
  const written = inputTokens.cacheWrite ?? 0;
  const input = inputTokens.total ?? (inputTokens.noCache ?? 0) + cached + written;
  return { input, cached, written, output: outputTokens.total ?? 0 };
}

function saidInStream(error: unknown, now: number): AskFailed {
  const { data, responseBody } = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  const said = data ?? responseBody ?? (error instanceof Error ? { message: error.message } : error);
  const body = typeof said === "string" ? said : JSON.stringify(said);
  return classify({ status: 0, headers: {}, body: body ?? "", now });
}

/** Pieces while they grow, in the order in which they began. */
class Heap {
  readonly #pieces: Growing[] = [];
  readonly #open = new Map<string, Growing>();

  take(part: Streamed, ear: Ear): void {
    const extra = ("providerMetadata" in part ? (part.providerMetadata as Extra | undefined) : undefined) ?? null;
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#begin(part.type === "text-start" ? "text" : "thought", part.id, extra);
        return;
      case "text-delta":
      case "reasoning-delta":
        this.#grow(part.type === "text-delta" ? "text" : "thought", { id: part.id, delta: part.delta, extra });
        if (part.type === "text-delta") ear.text(part.delta);
        if (part.type === "text-delta") ear.writing();
        return;
      case "text-end":
      case "reasoning-end":
        this.#grow(part.type === "text-end" ? "text" : "thought", { id: part.id, delta: "", extra });
        this.#open.delete(`${part.type === "text-end" ? "text" : "thought"} ${part.id}`);
        return;
      case "tool-input-start":
        ear.writing();
        return;
      case "tool-call":
        this.#pieces.push({ kind: "call", id: part.toolCallId, name: part.toolName, text: part.input, extra });
    }
  }

  #begin(kind: "text" | "thought", id: string, extra: Extra | null): Growing {
    const piece: Growing = { kind, id, name: "", text: "", extra };
    this.#pieces.push(piece);
    this.#open.set(`${kind} ${id}`, piece);
    return piece;
  }

  #grow(kind: "text" | "thought", { id, delta, extra }: { id: string; delta: string; extra: Extra | null }): void {
    const piece = this.#open.get(`${kind} ${id}`) ?? this.#begin(kind, id, null);
    piece.text += delta;
    piece.extra = joined(piece.extra, extra);
  }

  pieces(): readonly Piece[] {
    return this.#pieces.flatMap(({ kind, id, name, text, extra }): readonly Piece[] => {
      if (kind === "call") return [{ kind, id, name, input: text, extra }];
      return text === "" && extra === null ? [] : [{ kind, text, extra }];
    });
  }
}
interface Growing {
  readonly kind: Piece["kind"];
  readonly id: string;
  readonly name: string;
  text: string;
  extra: Extra | null;
}

/** What a provider hangs on a piece comes in parts too: a signature with the last one. */
function joined(before: Extra | null, more: Extra | null): Extra | null {
  if (before === null || more === null) return more ?? before;
  const names = new Set([...Object.keys(before), ...Object.keys(more)]);
  return Object.fromEntries([...names].map((name) => [name, { ...before[name], ...more[name] }]));
}
