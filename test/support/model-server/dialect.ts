import type { Answer, Asked, DialectName } from "./script.ts";
import type { Json } from "./valid.ts";

/** An answer with what the server fills in: ids of calls, usage. */
export interface Filled extends Answer {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: string }[];
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cached: number;
    readonly written: number;
  };
  readonly stop: "end" | "length" | "refused";
  readonly step: number;
}

export interface WireRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** One provider's wire format, from its side. */
export interface ServerDialect {
  readonly name: DialectName;
  readonly owns: (path: string) => boolean;
  /** null: none was sent */
  readonly key: (request: WireRequest) => string | null;
  /** Throws Refused where the real one answers 400. */
  readonly read: (request: WireRequest) => Omit<Asked, "n" | "dialect" | "body">;
  readonly events: (asked: Asked, answer: Filled) => readonly string[];
  readonly whole: (asked: Asked, answer: Filled) => Json;
  readonly error: (status: number, of: { readonly type: string | null; readonly message: string }) => Json;
}

/** A text in parts of so many characters, none of which cuts a pair of surrogates. */
export function inSteps(text: string, step: number): readonly string[] {
  const letters = [...text];
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += step) parts.push(letters.slice(at, at + step).join(""));
  return parts;
}

/** One server-sent event; `name` where the provider names them. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
