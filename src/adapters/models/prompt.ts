import { createHash } from "node:crypto";
import type { ModelRequest, ToolSpec, Turn } from "../../ports/model.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";
import type { Asked, Extra, Message } from "./dialect.ts";
import { type Piece, piecesOf } from "./opaque.ts";
import { type WireNames, wireNames } from "./wire-names.ts";
import { inWords } from "./words.ts";

/**
 * A request in the shape that the provider packages take. The same turns always come to the same bytes, so that what was
 * said before is a prefix of what is said now: that is what providers cache by.
 */
export function asked(spec: ModelSpec, request: ModelRequest, limits: { readonly maxOutput: number | null }): Asked {
  const tools = spec.tools ? request.tools : [];
  const turns = spec.tools ? request.turns : inWords(request.turns);
  const maxOutput = request.maxOutput ?? limits.maxOutput;
  const temperature = request.temperature ?? spec.temperature;
  return {
    prompt: marked(spec, [...systemOf(request.system), ...messages(turns, spec)]),
    ...(tools.length > 0
      ? { tools: toolsOf(spec, tools), toolChoice: { type: request.choice === "any" ? "required" : "auto" } }
      : {}),
    ...(maxOutput === null ? {} : { maxOutputTokens: maxOutput }),
    ...(temperature === null ? {} : { temperature }),
    providerOptions: optionsOf(spec, request.system),
  };
}

const systemOf = (system: string): readonly Message[] =>
  system.trim() === "" ? [] : [{ role: "system", content: system }];

function messages(turns: readonly Turn[], spec: ModelSpec): readonly Message[] {
  const names = wireNames(turns);
  return joined(turns).map((turn) => messageOf(turn, { spec, names }));
}

/** Users' turns in a row become one: some templates of local models demand that roles alternate. */
function joined(turns: readonly Turn[]): readonly Turn[] {
  const one: Turn[] = [];
  for (const turn of turns) {
    const last = one.at(-1);
    if (turn.role !== "user" || last?.role !== "user") one.push(turn);
    else one[one.length - 1] = together(last, turn);
  }
  return one;
}

type UserTurn = Extract<Turn, { role: "user" }>;
const together = (a: UserTurn, b: UserTurn): UserTurn => ({
  role: "user",
  text: `${a.text}\n\n${b.text}`,
  pictures: [...(a.pictures ?? []), ...(b.pictures ?? [])],
});

function messageOf(turn: Turn, { spec, names }: { spec: ModelSpec; names: WireNames }): Message {
  if (turn.role === "user")
    return { role: "user", content: [{ type: "text", text: filled(turn.text) }, ...picturesOf(turn)] };
  if (turn.role === "results")
    return {
      role: "tool",
      content: turn.results.map(({ id, name, text, failed }) => ({
        type: "tool-result",
        toolCallId: names.id(id),
        toolName: names.name(name),
        output: { type: failed ? "error-text" : "text", value: filled(text) },
      })),
    };
  const content = piecesOf(idOf(spec), turn).map((piece) => partOf(piece, names));
  return { role: "assistant", content: content.length > 0 ? content : [{ type: "text", text: NOTHING }] };
}

const picturesOf = ({ pictures = [] }: UserTurn) =>
  pictures.map(({ mediaType, base64 }) => ({ type: "file", mediaType, data: base64 }) as const);

/** Several providers refuse a text without a visible character. */
const filled = (text: string): string => (text.trim() === "" ? NOTHING : text);
const NOTHING = "(nothing)";

type Part = Extract<Message, { role: "assistant" }>["content"][number];
function partOf(piece: Piece, names: WireNames): Part {
  const extra = piece.extra === null ? {} : { providerOptions: piece.extra };
  if (piece.kind === "thought") return { type: "reasoning", text: piece.text, ...extra };
  if (piece.kind === "text") return { type: "text", text: piece.text, ...extra };
  const { id, name, input } = piece;
  return { type: "tool-call", toolCallId: names.id(id), toolName: names.name(name), input: objectOf(input), ...extra };
}

/** Providers take an object as a call's arguments; what the model wrote instead goes back to it inside one. */
function objectOf(input: string): unknown {
  try {
    const json: unknown = JSON.parse(input);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : { invalid_arguments: json };
  } catch {
    return { invalid_arguments: input };
  }
}

const toolsOf = (spec: ModelSpec, tools: readonly ToolSpec[]): NonNullable<Asked["tools"]> =>
  tools.map(({ name, description, input }, i) => ({
    type: "function",
    name,
    description,
    inputSchema: { ...input },
    // OpenAI makes every property required where nothing is said.
    ...(spec.provider === "openai" ? { strict: false } : {}),
    ...(spec.provider === "anthropic" && i === tools.length - 1 ? { providerOptions: CACHED } : {}),
  }));

/**
 * Anthropic caches up to marks, four at most: behind the tools, behind the system text, behind the last turn, and behind
 * the one before it that was ours, so that what was written then is found although many blocks came since.
 */
function marked(spec: ModelSpec, prompt: readonly Message[]): Message[] {
  if (spec.provider !== "anthropic") return [...prompt];
  const ours = prompt.flatMap(({ role }, i) => (role === "user" || role === "tool" ? [i] : []));
  const marks = new Set([...ours.slice(-2), ...(prompt[0]?.role === "system" ? [0] : [])]);
  return prompt.map((message, i) => (marks.has(i) ? { ...message, providerOptions: CACHED } : message));
}
const CACHED: Extra = { anthropic: { cacheControl: { type: "ephemeral" } } };

function optionsOf(spec: ModelSpec, system: string): Extra {
  if (spec.provider !== "openai") return {};
  const promptCacheKey = createHash("sha256").update(system).digest("hex").slice(0, 32);
  // Nothing is kept at OpenAI: signed thoughts travel with the request instead.
  return { openai: { store: false, promptCacheKey } };
}

/** `PROVIDER/MODEL` */
export const idOf = ({ provider, model }: ModelSpec): string => `${provider}/${model}`;
