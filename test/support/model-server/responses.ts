import { event, type Filled, inSteps, type ServerDialect, type WireRequest } from "./dialect.ts";
import { openaiError, openaiKey } from "./openai.ts";
import { pictureAt, userTurn } from "./picture.ts";
import { type Asked, type AskedCall, type AskedTurn, Refused } from "./script.ts";
import { opened, sealed } from "./signature.ts";
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
  "model input instructions max_output_tokens temperature top_p stream tools tool_choice store include prompt_cache_key reasoning text truncation parallel_tool_calls metadata user".split(
    " ",
  );

/** OpenAI's Responses, with nothing stored there. */
export const responses: ServerDialect = {
  name: "responses",
  owns: (path) => path === "/v1/responses",
  key: openaiKey,
  read,
  events,
  whole: (asked, answer) => ({
    ...head(asked, answer),
    ...end(answer),
    output: items(asked, answer),
    usage: usage(answer),
  }),
  error: openaiError,
};

function read({ body }: WireRequest): ReturnType<ServerDialect["read"]> {
  only(body, KEYS, "");
  refuseUnless(body.store === false, "this server stores nothing: 'store' has to be false");
  const tools = body.tools === undefined ? [] : list(body.tools, "tools").map(toolOf);
  unique(
    tools.map(({ name }) => name),
    "tools: function names",
  );
  refuseUnless(["auto", "required", undefined].includes(body.tool_choice as string), "Invalid value: 'tool_choice'");
  const input = list(body.input, "input").map((item, i) => object(item, `input[${i}]`));
  return {
    model: text(body.model, "model"),
    stream: body.stream === true,
    system: input
      .filter(isSystem)
      .map(({ content }, i) => visible(content, `input[${i}]`))
      .join("\n"),
    turns: turnsOf(input),
    tools,
    choice: body.tool_choice === "required" ? "any" : "auto",
    maxOutput: numberOrNull(body.max_output_tokens),
    temperature: numberOrNull(body.temperature),
  };
}

const isSystem = ({ role }: Json): boolean => role === "system" || role === "developer";

function toolOf(tool: unknown, i: number): Asked["tools"][number] {
  const { type, name, description, parameters, strict } = object(tool, `tools[${i}]`);
  refuseUnless(type === "function", `Invalid value: 'tools[${i}].type'`);
  refuseUnless(
    strict === false,
    `Invalid schema for function: strict is the default, and 'required' has to name every property (tools[${i}])`,
  );
  return {
    name: named(name, NAME, `tools[${i}].name`),
    description: text(description, `tools[${i}].description`),
    input: schema(parameters, `tools[${i}].parameters`),
  };
}

interface Growing {
  text: string;
  thoughts: string[];
  calls: AskedCall[];
}

function turnsOf(input: readonly Json[]): readonly AskedTurn[] {
  const turns: AskedTurn[] = [];
  let open: Growing | null = null;
  const assistant = (): Growing => {
    if (open === null) {
      open = { text: "", thoughts: [], calls: [] };
      turns.push({ role: "assistant", ...open });
      turns[turns.length - 1] = Object.assign(open, { role: "assistant" as const });
    }
    return open;
  };
  input.forEach((item, i) => {
    const where = `input[${i}]`;
    if (isSystem(item)) return;
    if (item.type === "function_call_output") {
      open = null;
      addResult(turns, {
        id: text(item.call_id, `${where}.call_id`),
        text: text(item.output, `${where}.output`),
        failed: false,
      });
    } else if (item.role === "user") {
      open = null;
      turns.push(userOf(item.content, where));
    } else if (item.role === "assistant") assistant().text += partsText(item.content, where);
    else if (item.type === "reasoning") {
      assistant().thoughts.push(opened(item.encrypted_content, `${where}.encrypted_content`));
      const next = input[i + 1];
      refuseUnless(
        next?.role === "assistant" || next?.type === "function_call" || next?.type === "reasoning",
        `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
      );
    } else if (item.type === "function_call") assistant().calls.push(callOf(item, where));
    else throw new Refused(`Invalid value: '${item.type}'. (${where}.type)`);
  });
  checkPairs(turns);
  return turns;
}

function addResult(turns: AskedTurn[], result: Extract<AskedTurn, { role: "results" }>["results"][number]): void {
  const last = turns.at(-1);
  if (last?.role === "results") turns[turns.length - 1] = { role: "results", results: [...last.results, result] };
  else turns.push({ role: "results", results: [result] });
}

function checkPairs(turns: readonly AskedTurn[]): void {
  turns.forEach((turn, i) => {
    const next = turns[i + 1];
    const given = next?.role === "results" ? next.results.map(({ id }) => id) : [];
    const wanted = turn.role === "assistant" ? turn.calls.map(({ id }) => id) : [];
    const missing = wanted.find((id) => !given.includes(id));
    refuseUnless(missing === undefined, `No tool output found for function call ${missing}.`);
    const before = turns[i - 1];
    const asked = before?.role === "assistant" ? before.calls.map(({ id }) => id) : [];
    const unasked = turn.role === "results" ? turn.results.find(({ id }) => !asked.includes(id)) : undefined;
    refuseUnless(unasked === undefined, `No tool call found for function call output with call_id ${unasked?.id}.`);
  });
  refuseUnless(
    turns.some(({ role }) => role === "user"),
    "input: at least one user message is needed",
  );
}

const partsText = (content: unknown, where: string): string =>
  typeof content === "string"
    ? visible(content, where)
    : list(content, `${where}.content`)
        .map((part) => visible(object(part, where).text, where))
        .join("");

function userOf(content: unknown, where: string): AskedTurn {
  if (!Array.isArray(content)) return userTurn([partsText(content, where)], []);
  const parts = content.map((part, j) => object(part, `${where}.content[${j}]`));
  const other = parts.find(({ type }) => type !== "input_text" && type !== "input_image");
  refuseUnless(
    other === undefined,
    `Invalid value: '${other?.type}'. Supported values are: 'input_text', 'input_image'.`,
  );
  return userTurn(
    parts.flatMap((part, j) => (part.type === "input_text" ? [visible(part.text, `${where}.content[${j}]`)] : [])),
    parts.flatMap((part, j) =>
      part.type === "input_image" ? [pictureAt(part.image_url, `${where}.content[${j}].image_url`)] : [],
    ),
  );
}

function callOf(item: Json, where: string): AskedCall {
  const args = JSON.parse(text(item.arguments, `${where}.arguments`)) as unknown;
  return {
    id: text(item.call_id, `${where}.call_id`),
    name: named(item.name, NAME, `${where}.name`),
    args: object(args, `${where}.arguments`),
  };
}

const head = ({ n, model }: Asked, _: Filled) => ({
  id: `resp_${n}`,
  object: "response",
  created_at: 1764000000,
  status: "in_progress",
  background: false,
  error: null,
  incomplete_details: null,
  model,
  output: [] as readonly Json[],
  service_tier: "default",
  store: false,
  usage: null as unknown,
});
const end = ({ stop }: Filled): Json =>
  stop === "end"
    ? { status: "completed" }
    : {
        status: "incomplete",
        incomplete_details: { reason: stop === "length" ? "max_output_tokens" : "content_filter" },
      };
const usage = ({ usage: { input, cached, output } }: Filled) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});

const items = ({ n }: Asked, { thought, text, calls }: Filled): readonly Json[] => [
  ...(thought ? [{ type: "reasoning", id: `rs_${n}`, summary: [], encrypted_content: sealed(thought) }] : []),
  ...(text
    ? [
        {
          type: "message",
          id: `msg_${n}`,
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
        },
      ]
    : []),
  ...calls.map(({ id, name, input }, i) => ({
    type: "function_call",
    id: `fc_${n}_${i}`,
    call_id: id,
    name,
    arguments: input,
    status: "completed",
  })),
];

function events(asked: Asked, answer: Filled): readonly string[] {
  let sequence = 0;
  const send = (data: Json) => event({ ...data, sequence_number: sequence++ }, data.type as string);
  const response = head(asked, answer);
  const opening = ["response.created", "response.in_progress"].map((type) => send({ type, response }));
  const body = items(asked, answer).flatMap((item, output_index) =>
    itemEvents(item, { output_index, step: answer.step }).map(send),
  );
  if (answer.failInside) {
    const code = answer.failInside === "limit" ? "rate_limit_exceeded" : "server_error";
    return [
      ...opening,
      ...body.slice(0, 3),
      send({
        type: "response.failed",
        response: { ...response, status: "failed", error: { code, message: "It failed." } },
      }),
    ];
  }
  const whole = { ...response, ...end(answer), output: items(asked, answer), usage: usage(answer) };
  return [...opening, ...body, send({ type: `response.${whole.status}`, response: whole })];
}

function itemEvents(item: Json, { output_index, step }: { output_index: number; step: number }): readonly Json[] {
  const item_id = item.id;
  const added = { type: "response.output_item.added", output_index, item: { ...item, ...blank(item) } };
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "function_call")
    return [
      added,
      ...inSteps(item.arguments as string, step).map((delta) => ({
        type: "response.function_call_arguments.delta",
        item_id,
        output_index,
        delta,
      })),
      { type: "response.function_call_arguments.done", item_id, output_index, arguments: item.arguments },
      done,
    ];
  if (item.type !== "message") return [added, done];
  const [part] = item.content as readonly [Json];
  const at = { item_id, output_index, content_index: 0 };
  return [
    added,
    { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
    ...inSteps(part.text as string, step).map((delta) => ({
      type: "response.output_text.delta",
      ...at,
      delta,
      logprobs: [],
    })),
    { type: "response.output_text.done", ...at, text: part.text, logprobs: [] },
    { type: "response.content_part.done", ...at, part },
    done,
  ];
}
const blank = ({ type }: Json): Json =>
  type === "function_call"
    ? { arguments: "", status: "in_progress" }
    : type === "message"
      ? { content: [], status: "in_progress" }
      : {};
