import { event, type Filled, inSteps, type ServerDialect, type WireRequest } from "./dialect.ts";
import { openaiError, openaiKey } from "./openai.ts";
import { pictureAt, userTurn } from "./picture.ts";
import type { Asked, AskedCall, AskedTurn } from "./script.ts";
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

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const KEYS =
  "model messages max_tokens max_completion_tokens temperature top_p stream stream_options tools tool_choice prompt_cache_key store user parallel_tool_calls reasoning_effort".split(
    " ",
  );

/** OpenAI's Chat Completions, and what most other servers speak. */
export const chat: ServerDialect = {
  name: "chat",
  owns: (path) => path === "/v1/chat/completions",
  key: openaiKey,
  read,
  events,
  whole: (asked, answer) => ({
    ...head(asked, "chat.completion"),
    choices: [{ index: 0, message: messageOf(answer), logprobs: null, finish_reason: finish(answer) }],
    usage: usage(answer),
  }),
  error: openaiError,
};

function read({ body }: WireRequest): ReturnType<ServerDialect["read"]> {
  only(body, KEYS, "");
  refuseUnless(
    body.stream_options === undefined || body.stream === true,
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  );
  const tools = body.tools === undefined ? [] : list(body.tools, "tools").map(toolOf);
  unique(
    tools.map(({ name }) => name),
    "tools: function names",
  );
  refuseUnless(
    body.tool_choice === undefined || tools.length > 0,
    "'tool_choice' is only allowed when 'tools' are specified.",
  );
  refuseUnless(["auto", "required", undefined].includes(body.tool_choice as string), "Invalid value: 'tool_choice'");
  const messages = list(body.messages, "messages").map((message, i) => object(message, `messages[${i}]`));
  return {
    model: text(body.model, "model"),
    stream: body.stream === true,
    system: messages
      .filter(isSystem)
      .map(({ content }, i) => visible(content, `messages[${i}]`))
      .join("\n"),
    turns: turnsOf(messages),
    tools,
    choice: body.tool_choice === "required" ? "any" : "auto",
    maxOutput: numberOrNull(body.max_completion_tokens ?? body.max_tokens),
    temperature: numberOrNull(body.temperature),
  };
}

const isSystem = ({ role }: Json): boolean => role === "system" || role === "developer";

function toolOf(tool: unknown, i: number): Asked["tools"][number] {
  const { type, function: of } = object(tool, `tools[${i}]`);
  refuseUnless(type === "function", `Invalid value: 'tools[${i}].type'`);
  const { name, description, parameters } = object(of, `tools[${i}].function`);
  return {
    name: named(name, NAME, `tools[${i}].function.name`),
    description: text(description, `tools[${i}].function.description`),
    input: schema(parameters, `tools[${i}].function.parameters`),
  };
}

function turnsOf(messages: readonly Json[]): readonly AskedTurn[] {
  refuseUnless(
    messages.some(({ role }) => role === "user"),
    "messages: at least one user message is needed",
  );
  const turns: AskedTurn[] = [];
  let pending: string[] = [];
  messages.forEach((message, i) => {
    const where = `messages[${i}]`;
    if (message.role === "tool") {
      const id = text(message.tool_call_id, `${where}.tool_call_id`);
      refuseUnless(
        pending.includes(id),
        `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (${where})`,
      );
      pending = pending.filter((one) => one !== id);
      const result = { id, text: text(message.content, `${where}.content`), failed: false };
      const last = turns.at(-1);
      if (last?.role === "results") turns[turns.length - 1] = { role: "results", results: [...last.results, result] };
      else turns.push({ role: "results", results: [result] });
      return;
    }
    refuseUnless(
      pending.length === 0,
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${pending.join(", ")}`,
    );
    if (isSystem(message)) return;
    if (message.role === "user") turns.push(userOf(message.content, `${where}.content`));
    else {
      const turn = assistantOf(message, where);
      pending = turn.calls.map(({ id }) => id);
      unique(pending, `${where}: tool_call ids`);
      turns.push(turn);
    }
  });
  refuseUnless(pending.length === 0, `tool_call_ids did not have response messages: ${pending.join(", ")}`);
  return turns;
}

function userOf(content: unknown, where: string): AskedTurn {
  if (!Array.isArray(content)) return userTurn([visible(content, where)], []);
  const parts = content.map((part, j) => object(part, `${where}[${j}]`));
  const other = parts.find(({ type }) => type !== "text" && type !== "image_url");
  refuseUnless(other === undefined, `Invalid value: '${other?.type}'. Supported values are: 'text', 'image_url'.`);
  return userTurn(
    parts.flatMap((part, j) => (part.type === "text" ? [visible(part.text, `${where}[${j}].text`)] : [])),
    parts.flatMap((part, j) => {
      const at = `${where}[${j}].image_url`;
      return part.type === "image_url" ? [pictureAt(object(part.image_url, at).url, `${at}.url`)] : [];
    }),
  );
}

function assistantOf(message: Json, where: string): Extract<AskedTurn, { role: "assistant" }> {
  refuseUnless(
    message.role === "assistant",
    `Invalid value: '${message.role}'. Supported values are: 'system', 'assistant', 'user', 'tool', and 'developer'.`,
  );
  const calls = message.tool_calls === undefined ? [] : list(message.tool_calls, `${where}.tool_calls`);
  refuseUnless(
    message.content !== null || calls.length > 0,
    `Invalid value for 'content': expected a string, got null. (${where})`,
  );
  return {
    role: "assistant",
    text: message.content === null ? "" : text(message.content, `${where}.content`),
    thoughts: [],
    calls: calls.map((call, j) => callOf(object(call, `${where}.tool_calls[${j}]`), `${where}.tool_calls[${j}]`)),
  };
}

function callOf({ id, type, function: of }: Json, where: string): AskedCall {
  refuseUnless(type === "function", `Invalid value: '${where}.type'`);
  const { name, arguments: args } = object(of, `${where}.function`);
  const found = { id: text(id, `${where}.id`), name: named(name, NAME, `${where}.function.name`) };
  return {
    ...found,
    args: object(JSON.parse(text(args, `${where}.function.arguments`)), `${where}.function.arguments`),
  };
}

const head = ({ n, model }: Asked, kind: string) => ({
  id: `chatcmpl-${n}`,
  object: kind,
  created: 1764000000,
  model,
  system_fingerprint: "fp_1",
});
const finish = ({ stop, calls }: Filled): string =>
  stop === "length" ? "length" : stop === "refused" ? "content_filter" : calls.length > 0 ? "tool_calls" : "stop";
const usage = ({ usage: { input, cached, output } }: Filled) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
});
const messageOf = ({ text, calls }: Filled) => ({
  role: "assistant",
  content: text || null,
  refusal: null,
  ...(calls.length > 0
    ? {
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: "function",
          function: { name, arguments: input },
        })),
      }
    : {}),
});

function events(asked: Asked, answer: Filled): readonly string[] {
  const base = head(asked, "chat.completion.chunk");
  const send = (delta: Json, end: string | null = null) =>
    event({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: end }], usage: null });
  const calls = answer.calls.flatMap(({ id, name, input }, index) => [
    send({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ...inSteps(input, answer.step).map((part) => send({ tool_calls: [{ index, function: { arguments: part } }] })),
  ]);
  const body = [...inSteps(answer.text, answer.step).map((content) => send({ content })), ...calls];
  const first = send({ role: "assistant", content: "", refusal: null });
  if (answer.failInside) {
    const word = answer.failInside === "limit" ? "rate_limit_exceeded" : "server_error";
    return [
      first,
      ...body.slice(0, 1),
      event({ error: { message: "It failed.", type: word, param: null, code: word } }),
    ];
  }
  return [
    first,
    ...body,
    send({}, finish(answer)),
    event({ ...base, choices: [], usage: usage(answer) }),
    event("[DONE]"),
  ];
}
