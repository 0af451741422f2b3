import { event, type Filled, inSteps, type ServerDialect, type WireRequest } from "./dialect.ts";
import { pictureOf, userTurn } from "./picture.ts";
import type { Asked, AskedCall, AskedPicture, AskedTurn } from "./script.ts";
import { Refused } from "./script.ts";
import { checkSignature, signatureOf } from "./signature.ts";
import {
  type Json,
  list,
  named,
  numberOrNull,
  object,
  only,
  refuseUnless,
  schema,
  text,
  unique,
  visible,
} from "./valid.ts";

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const ID = /^[a-zA-Z0-9_-]+$/;
const KEYS =
  "model messages system max_tokens temperature top_k top_p stop_sequences stream tools tool_choice thinking metadata output_config cache_control".split(
    " ",
  );

/** Anthropic's Messages API, version 2023-06-01. */
export const anthropic: ServerDialect = {
  name: "anthropic",
  owns: (path) => path === "/v1/messages",
  key: ({ headers }) => headers["x-api-key"] ?? null,
  read,
  events,
  whole: (asked, answer) => ({
    ...head(asked, answer),
    content: blocks(answer),
    stop_reason: stop(answer),
    usage: usage(answer),
  }),
  error: (status, { type, message }) => ({
    type: "error",
    error: { type: type ?? TYPES[status] ?? "api_error", message },
    request_id: "req_1",
  }),
};
const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

function read({ body, headers }: WireRequest): ReturnType<ServerDialect["read"]> {
  refuseUnless(headers["anthropic-version"] === "2023-06-01", "anthropic-version: header is required");
  only(body, KEYS, "");
  refuseUnless(Number.isInteger(body.max_tokens) && (body.max_tokens as number) > 0, "max_tokens: Field required");
  const marks = JSON.stringify(body).split('"cache_control":').length - 1;
  refuseUnless(marks <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  const tools = body.tools === undefined ? [] : list(body.tools, "tools").map(toolOf);
  unique(
    tools.map(({ name }) => name),
    "tools: Tool names",
  );
  const choice = body.tool_choice === undefined ? "auto" : object(body.tool_choice, "tool_choice").type;
  refuseUnless(choice === "auto" || choice === "any", "tool_choice: Input tag does not match");
  return {
    model: text(body.model, "model"),
    stream: body.stream === true,
    system: systemOf(body.system),
    turns: turnsOf(list(body.messages, "messages")),
    tools,
    choice,
    maxOutput: numberOrNull(body.max_tokens),
    temperature: numberOrNull(body.temperature),
  };
}

function toolOf(tool: unknown, i: number): Asked["tools"][number] {
  const { name, description, input_schema } = object(tool, `tools.${i}`);
  return {
    name: named(name, NAME, `tools.${i}.custom.name`),
    description: text(description, `tools.${i}.custom.description`),
    input: schema(input_schema, `tools.${i}.custom.input_schema`),
  };
}

const systemOf = (system: unknown): string =>
  typeof system === "string" || system === undefined
    ? (system ?? "")
    : list(system, "system")
        .map((block, i) => visible(object(block, `system.${i}`).text, `system.${i}`))
        .join("\n");

function turnsOf(messages: readonly unknown[]): readonly AskedTurn[] {
  refuseUnless(messages.length > 0, "messages: at least one message is required");
  let pending: readonly AskedCall[] = [];
  let last = "assistant";
  const turns = messages.flatMap((message, i): readonly AskedTurn[] => {
    const { role, content } = object(message, `messages.${i}`);
    refuseUnless(
      role !== last,
      `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`,
    );
    last = role as string;
    const blocks =
      typeof content === "string" ? [{ type: "text", text: content }] : list(content, `messages.${i}.content`);
    refuseUnless(blocks.length > 0, `messages.${i}: all messages must have non-empty content`);
    const read = blocks.map((block, j) => object(block, `messages.${i}.content.${j}`));
    if (role === "assistant") {
      const turn = assistantOf(read, `messages.${i}`);
      pending = turn.calls;
      return [turn];
    }
    const answered = usersOf(read, { pending, where: `messages.${i}` });
    pending = [];
    return answered;
  });
  refuseUnless(
    pending.length === 0,
    `messages: \`tool_use\` ids were found without \`tool_result\` blocks: ${pending.map(({ id }) => id)}`,
  );
  return turns;
}

function assistantOf(blocks: readonly Json[], where: string): Extract<AskedTurn, { role: "assistant" }> {
  const turn = { role: "assistant" as const, text: "", thoughts: [] as string[], calls: [] as AskedCall[] };
  blocks.forEach((block, j) => {
    const at = `${where}.content.${j}`;
    if (block.type === "text") turn.text += visible(block.text, at);
    else if (block.type === "thinking") {
      checkSignature(text(block.thinking, at), block.signature, at);
      turn.thoughts.push(block.thinking as string);
    } else if (block.type === "tool_use") {
      const id = named(block.id, ID, `${at}.tool_use.id`);
      turn.calls.push({
        id,
        name: named(block.name, NAME, `${at}.tool_use.name`),
        args: object(block.input, `${at}.tool_use.input`),
      });
    } else
      throw new Refused(`${at}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`);
  });
  unique(
    turn.calls.map(({ id }) => id),
    "messages: `tool_use` ids",
  );
  return turn;
}

function usersOf(
  blocks: readonly Json[],
  { pending, where }: { pending: readonly AskedCall[]; where: string },
): readonly AskedTurn[] {
  const results = blocks.filter(({ type }) => type === "tool_result");
  const others = blocks.filter(({ type }) => type !== "tool_result");
  refuseUnless(
    blocks.slice(0, results.length).every(({ type }) => type === "tool_result"),
    `${where}: \`tool_result\` blocks have to come first`,
  );
  const ids = results.map(({ tool_use_id }) => tool_use_id);
  const missing = pending.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
  refuseUnless(
    missing.length === 0,
    `${where}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}.`,
  );
  const unasked = ids.filter((id) => !pending.some((call) => call.id === id));
  refuseUnless(
    unasked.length === 0,
    `${where}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unasked.join(", ")}.`,
  );
  unique(ids as string[], `${where}: \`tool_result\` ids`);
  const read = results.map((block, j) => ({
    id: block.tool_use_id as string,
    text: typeof block.content === "string" ? block.content : partsText(block.content, `${where}.content.${j}`),
    failed: block.is_error === true,
  }));
  return [...(read.length > 0 ? [{ role: "results" as const, results: read }] : []), ...said(others, where)];
}

/** A text each is a turn; pictures go with the text before them. */
function said(blocks: readonly Json[], where: string): readonly AskedTurn[] {
  const turns: { text: string; pictures: AskedPicture[] }[] = [];
  blocks.forEach((block, j) => {
    const at = `${where}.content.${j}`;
    if (block.type === "text") turns.push({ text: visible(block.text, at), pictures: [] });
    else if (block.type === "image") {
      const source = object(block.source, `${at}.image.source`);
      refuseUnless(source.type === "base64", `${at}.image.source: Input tag does not match`);
      if (turns.length === 0) turns.push({ text: "", pictures: [] });
      turns.at(-1)!.pictures.push(pictureOf(source.data, source.media_type, `${at}.image.source.base64`));
    } else
      throw new Refused(`${at}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`);
  });
  return turns.map(({ text, pictures }) => userTurn([text], pictures));
}

const partsText = (content: unknown, where: string): string =>
  list(content, where)
    .map((part) => visible(object(part, where).text, where))
    .join("");

const head = ({ n, model }: Asked, _: Filled) => ({
  id: `msg_${n}`,
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
});
const stop = ({ stop, calls }: Filled): string =>
  stop === "length" ? "max_tokens" : stop === "refused" ? "refusal" : calls.length > 0 ? "tool_use" : "end_turn";
const usage = ({ usage: { input, cached, written, output } }: Filled) => ({
  input_tokens: input - cached - written,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: cached,
  output_tokens: output,
});

const blocks = ({ thought, text, calls }: Filled): readonly Json[] => [
  ...(thought ? [{ type: "thinking", thinking: thought, signature: signatureOf(thought) }] : []),
  ...(text ? [{ type: "text", text }] : []),
  ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input: parsedOr(input) })),
];
/** What is no JSON cannot stand in a whole answer; the API has it only in streams. */
const parsedOr = (input: string): unknown => {
  try {
    return JSON.parse(input);
  } catch {
    return { invalid: input };
  }
};

function events(asked: Asked, answer: Filled): readonly string[] {
  const send = (data: Json) => event(data, data.type as string);
  const start = {
    ...head(asked, answer),
    content: [],
    stop_reason: null,
    usage: { ...usage(answer), output_tokens: 1 },
  };
  const body = blocks(answer).flatMap((block, index) => [
    send({ type: "content_block_start", index, content_block: opening(block) }),
    ...deltas(block, answer).map((delta) => send({ type: "content_block_delta", index, delta })),
    send({ type: "content_block_stop", index }),
  ]);
  const inside = answer.failInside && send(FAILURES[answer.failInside]);
  return [
    send({ type: "message_start", message: start }),
    send({ type: "ping" }),
    ...(inside ? [...body.slice(0, 2), inside] : body),
    ...(inside
      ? []
      : [
          send({
            type: "message_delta",
            delta: { stop_reason: stop(answer), stop_sequence: null },
            usage: usage(answer),
          }),
          send({ type: "message_stop" }),
        ]),
  ];
}
const FAILURES = {
  overloaded: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
  limit: { type: "error", error: { type: "rate_limit_error", message: "This request would exceed your rate limit" } },
} as const;

const opening = (block: Json): Json => {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return { ...block, input: {} };
};

function deltas(block: Json, answer: Filled): readonly Json[] {
  if (block.type === "text")
    return inSteps(block.text as string, answer.step).map((part) => ({ type: "text_delta", text: part }));
  if (block.type === "thinking")
    return [
      ...inSteps(block.thinking as string, answer.step).map((part) => ({ type: "thinking_delta", thinking: part })),
      { type: "signature_delta", signature: block.signature },
    ];
  const { input } = answer.calls.find(({ id }) => id === block.id)!;
  return ["", ...inSteps(input, answer.step)].map((part) => ({ type: "input_json_delta", partial_json: part }));
}
