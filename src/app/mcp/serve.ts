import { McpServer, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Answer, answered, type HandTool } from "./tool.ts";
import { editTool } from "./tools/edit.ts";
import { execTool } from "./tools/exec.ts";
import { mapTool } from "./tools/map.ts";
import { rankTool } from "./tools/rank.ts";
import { searchTool } from "./tools/search.ts";

// biome-ignore lint/suspicious/noExplicitAny: each tool knows its own input, and checks it
export const TOOLS: readonly HandTool<any>[] = [searchTool, mapTool, rankTool, editTool, execTool];

export interface Serving<On> {
  readonly version: string;
  /** what a client is told of the server */
  readonly about: string;
  readonly tools: readonly HandTool<unknown, On>[];
  /** what they work with, opened at the first call */
  readonly open: () => Promise<On>;
  /** ends all that goes on, and the server */
  readonly signal: AbortSignal;
}

/** Serves tools on stdin and stdout until the client goes away or the signal comes; then nothing of it lives any more. */
export async function serve<On extends { close(): Promise<void> }>(of: Serving<On>): Promise<void> {
  const { version, about, tools, open, signal } = of;
  let on: Promise<On> | null = null;
  const opened = (): Promise<On> => {
    on ??= open().catch((error: unknown) => {
      on = null; // what is wrong may be mended by the next call
      throw error;
    });
    return on;
  };
  const calls = new Set<Promise<Answer>>();
  const gone = new AbortController();
  const call = (tool: HandTool<unknown, On>, input: unknown, of: AbortSignal): Promise<Answer> => {
    const ends = AbortSignal.any([of, signal, gone.signal]);
    const answer = answered(tool, { on: opened, input, signal: ends }).finally(() => calls.delete(answer));
    calls.add(answer);
    return answer;
  };
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MOST_BYTES });
  const server = serveStdio(() => serverOf({ version, about, tools, call }), { transport });
  await ended(signal);
  gone.abort();
  await Promise.allSettled(calls);
  await server.close();
  await (await (on as Promise<On> | null)?.catch(() => null))?.close();
}

/** An edit of many files is long. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Until nobody is there to ask any more. */
const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

export const ABOUT_HANDS =
  "Hands on the code repository that this server was started in. Paths are from its top. Search, map and rank to find " +
  "the place; edit to change it; exec to build and test.";

function serverOf<On>(of: {
  readonly version: string;
  readonly about: string;
  readonly tools: readonly HandTool<unknown, On>[];
  readonly call: (tool: HandTool<unknown, On>, input: unknown, signal: AbortSignal) => Promise<Answer>;
}): McpServer {
  const info = { name: "pawl", title: "Pawl", version: of.version };
  const server = new McpServer(info, { capabilities: { tools: {} }, instructions: of.about });
  for (const tool of of.tools) {
    const { title, description, behaviour } = tool;
    const config = { title, description, inputSchema: told(tool), annotations: { title, ...behaviour } };
    server.registerTool(tool.name, config, async (input, { mcpReq }) => {
      const { text, document, isError } = await of.call(tool, input, mcpReq.signal);
      return { content: [{ type: "text" as const, text }], structuredContent: { ...document }, isError };
    });
  }
  return server;
}

/** The schema as it is told. What does not fit is let through, as the answer to that is ours, with its code. */
function told<On>({ input }: HandTool<unknown, On>): StandardSchemaWithJSON {
  const standard = (input as unknown as StandardSchemaWithJSON)["~standard"];
  return { "~standard": { ...standard, validate: (value: unknown) => ({ value }) } } as StandardSchemaWithJSON;
}
