import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A model for agents of other makers, in the four wire formats that they speak. It takes whatever they send: what is
 * checked here is how we drive them, not how they ask. It writes one file with the tool that the agent has for that, runs a
 * command where it is told to, and says PASS.
 */
export interface AgentModel {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** paths that were asked, and whether the last turn was a result */
  readonly asked: {
    readonly path: string;
    readonly tools: readonly string[];
    readonly results: number;
    readonly said: string;
  }[];
  /** from now on the answer to a request with so many results waits until `go`, or fails with that status */
  hold(results: number | null): void;
  fail(status: number | null): void;
  close(): Promise<void>;
}

/** What it does one after the other; a step whose tool the agent does not have is left out. */
export interface Deed {
  readonly file: string;
  readonly text: string;
}

export async function startAgentModel(deeds: readonly Deed[]): Promise<AgentModel> {
  const asked: AgentModel["asked"] = [];
  let held: number | null = null;
  let status: number | null = null;
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", async () => {
      const path = new URL(request.url ?? "/", "http://x").pathname;
      const format = FORMATS.find(({ owns }) => owns.test(path));
      const body = JSON.parse(Buffer.concat(parts).toString("utf8") || "{}");
      if (format === undefined) return void response.writeHead(404).end("{}");
      const of = format.read(body);
      asked.push({ path, tools: of.tools.map(({ name }) => name), results: of.results, said: of.said.slice(-300) });
      if (status !== null) return void response.writeHead(status, { "content-type": "application/json" }).end(ERROR);
      if (of.tools.length > 0 && held !== null && of.results >= held) await new Promise<void>((go) => waiting.push(go));
      format.send(response, answerTo(of, deeds), { path, body });
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    hold(results) {
      held = results;
      if (results === null) for (const go of waiting.splice(0)) go();
    },
    fail: (next) => {
      status = next;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const ERROR = JSON.stringify({
  type: "error",
  error: { type: "authentication_error", code: 401, status: "UNAUTHENTICATED", message: "API key not valid" },
});

interface Tool {
  readonly name: string;
  readonly input: { readonly properties?: Readonly<Record<string, unknown>> };
}
interface Asked {
  readonly tools: readonly Tool[];
  /** results of calls so far */
  readonly results: number;
  readonly said: string;
}
type Said = { readonly text: string } | { readonly call: string; readonly args: object; readonly id: string };

function answerTo({ tools, results }: Asked, deeds: readonly Deed[]): Said {
  const deed = deeds[results];
  if (tools.length === 0 || deed === undefined) return { text: "The file is there.\n\nPASS" };
  const call = callFor(tools, deed);
  return call === null ? { text: "FAIL: I have no tool to write with" } : { ...call, id: `call_${results + 1}` };
}

/** With the tool for new files that it has, else with its shell. */
function callFor(tools: readonly Tool[], { file, text }: Deed): { call: string; args: object } | null {
  const write = tools.find(({ name }) => /^(write_file|write|create_file)$/i.test(name));
  if (write !== undefined) {
    const key = (...names: string[]) => names.find((name) => name in (write.input.properties ?? {})) ?? names[0]!;
    return { call: write.name, args: { [key("file_path", "filePath", "path")]: file, [key("content", "text")]: text } };
  }
  const command = `printf '%s' '${text}' > ${file}`;
  const shell = tools.find(({ name }) =>
    /^(shell|exec_command|shell_command|bash|run_shell_command|local_shell)$/i.test(name),
  );
  if (shell === undefined) return null;
  const { properties = {} } = shell.input;
  if ("cmd" in properties) return { call: shell.name, args: { cmd: command } };
  const isList = JSON.stringify(properties.command ?? {}).includes('"array"');
  return { call: shell.name, args: { command: isList ? ["bash", "-lc", command] : command } };
}

interface Format {
  readonly owns: RegExp;
  // biome-ignore lint/suspicious/noExplicitAny: whatever an agent sends
  readonly read: (body: any) => Asked;
  // biome-ignore lint/suspicious/noExplicitAny: whatever an agent sends
  readonly send: (response: ServerResponse, said: Said, of: { path: string; body: any }) => void;
}

function sse(response: ServerResponse, events: readonly (readonly [string | null, unknown])[], end = ""): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [name, data] of events)
    response.write(`${name === null ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
  response.end(end);
}
const json = (response: ServerResponse, value: unknown): void =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
const wordsOf = (value: unknown): string => JSON.stringify(value ?? "");

const FORMATS: readonly Format[] = [
  {
    owns: /:(streamGenerateContent|generateContent|countTokens)$/,
    read: ({ tools = [], contents = [] }) => ({
      tools: tools
        .flatMap((tool: { functionDeclarations?: unknown[] }) => tool.functionDeclarations ?? [])
        .map((one: Record<string, unknown>) => ({
          name: one.name,
          input: one.parametersJsonSchema ?? one.parameters ?? {},
        })),
      results: contents.flatMap(({ parts = [] }) => parts).filter((part: object) => "functionResponse" in part).length,
      said: wordsOf(contents.at(-1)),
    }),
    send(response, said, { path }) {
      if (path.endsWith(":countTokens")) return json(response, { totalTokens: 100 });
      const parts =
        "text" in said
          ? [{ text: said.text }]
          : [{ functionCall: { id: said.id, name: said.call, args: said.args }, thoughtSignature: "c2lnbmF0dXJl" }];
      const chunk = {
        candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
      };
      if (path.endsWith(":generateContent")) return json(response, chunk);
      sse(response, [[null, chunk]]);
    },
  },
  {
    owns: /\/responses$/,
    read: ({ tools = [], input = [] }) => ({
      tools: tools.map((one: Record<string, unknown>) => ({
        name: String(one.name ?? one.type),
        input: one.parameters ?? {},
      })),
      results: input.filter(({ type }: { type?: string }) => /call_output$/.test(type ?? "")).length,
      said: wordsOf(input.at(-1)),
    }),
    send(response, said) {
      const item =
        "text" in said
          ? {
              type: "message",
              id: "msg_1",
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: said.text, annotations: [] }],
            }
          : {
              type: "function_call",
              id: "fc_1",
              call_id: said.id,
              name: said.call,
              arguments: JSON.stringify(said.args),
              status: "completed",
            };
      const usage = {
        input_tokens: 100,
        output_tokens: 10,
        total_tokens: 110,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      };
      sse(response, [
        ["response.created", { type: "response.created", response: { id: "resp_1", output: [] } }],
        ["response.output_item.done", { type: "response.output_item.done", output_index: 0, item }],
        ["response.completed", { type: "response.completed", response: { id: "resp_1", output: [item], usage } }],
      ]);
    },
  },
  {
    owns: /\/messages(\/count_tokens)?$/,
    read: ({ tools = [], messages = [] }) => ({
      tools: tools.map((one: Record<string, unknown>) => ({ name: String(one.name), input: one.input_schema ?? {} })),
      results: messages
        .flatMap(({ content }: { content: unknown }) => (Array.isArray(content) ? content : []))
        .filter(({ type }: { type?: string }) => type === "tool_result").length,
      said: wordsOf(messages.at(-1)),
    }),
    send(response, said, { path, body }) {
      if (path.endsWith("count_tokens")) return json(response, { input_tokens: 100 });
      const block =
        "text" in said
          ? { type: "text", text: said.text }
          : { type: "tool_use", id: said.id, name: said.call, input: said.args };
      const stop_reason = "text" in said ? "end_turn" : "tool_use";
      const usage = { input_tokens: 100, output_tokens: 10 };
      const message = {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: body.model,
        content: [block],
        stop_reason,
        stop_sequence: null,
        usage,
      };
      if (!body.stream) return json(response, message);
      const empty = "text" in said ? { type: "text", text: "" } : { ...block, input: {} };
      const delta =
        "text" in said
          ? { type: "text_delta", text: said.text }
          : { type: "input_json_delta", partial_json: JSON.stringify(said.args) };
      const events = [
        { type: "message_start", message: { ...message, content: [], stop_reason: null } },
        { type: "content_block_start", index: 0, content_block: empty },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
        { type: "message_stop" },
      ];
      sse(
        response,
        events.map((one) => [one.type, one]),
      );
    },
  },
  {
    owns: /\/chat\/completions$/,
    read: ({ tools = [], messages = [] }) => ({
      tools: tools.map(({ function: one }: { function: Record<string, unknown> }) => ({
        name: String(one.name),
        input: one.parameters ?? {},
      })),
      results: messages.filter(({ role }: { role?: string }) => role === "tool").length,
      said: wordsOf(messages.at(-1)),
    }),
    send(response, said, { body }) {
      const calls =
        "text" in said
          ? undefined
          : [
              {
                index: 0,
                id: said.id,
                type: "function",
                function: { name: said.call, arguments: JSON.stringify(said.args) },
              },
            ];
      const message = {
        role: "assistant",
        content: "text" in said ? said.text : null,
        ...(calls ? { tool_calls: calls } : {}),
      };
      const finish_reason = calls ? "tool_calls" : "stop";
      const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
      const common = { id: "c1", created: 1, model: body.model };
      if (!body.stream)
        return json(response, {
          ...common,
          object: "chat.completion",
          choices: [{ index: 0, message, finish_reason }],
          usage,
        });
      const chunk = (delta: object, finish: string | null) => ({
        ...common,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
      sse(
        response,
        [
          [null, chunk(message, null)],
          [null, { ...chunk({}, finish_reason), usage }],
        ],
        "data: [DONE]\n\n",
      );
    },
  },
];
