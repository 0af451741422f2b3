import type { Client } from "@modelcontextprotocol/client";
import { PawlError } from "../../../domain/errors.ts";
import type { ToolSpec } from "../../../ports/model.ts";

/** A server of tools: a program that speaks on its stdin and stdout, or an address. */
export interface McpServerSpec {
  readonly name: string;
  readonly start: { readonly program: string; readonly args: readonly string[] } | { readonly url: string };
  /** the variable that holds the token of an address; null: none is sent */
  readonly tokenEnv: string | null;
}

/** Tools of all servers, by their own names; of two that are called the same, the later one is `SERVER_NAME`. */
export interface McpTools {
  readonly names: readonly string[];
  readonly specs: readonly ToolSpec[];
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly ok: boolean; readonly text: string }>;
  /** ends the programs that were started */
  close(): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Connects to these servers, and asks each what it has. Throws MCP_SERVER_FAILED, with none left running. */
export async function connectMcp(specs: readonly McpServerSpec[], env: Env): Promise<McpTools> {
  const clients: Client[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.close().catch(() => {})));
  };
  const found = new Map<string, { readonly client: Client; readonly own: string; readonly spec: ToolSpec }>();
  try {
    for (const server of specs) {
      const client = await connected(server, env);
      clients.push(client);
      const { tools } = await client.listTools();
      for (const { name: own, description = "", inputSchema } of tools) {
        const name = found.has(own) ? `${server.name}_${own}` : own;
        found.set(name, { client, own, spec: { name, description, input: inputSchema as ToolSpec["input"] } });
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    names: [...found.keys()],
    specs: [...found.values()].map(({ spec }) => spec),
    async call(tool, args, signal) {
      const { client, own } = found.get(tool)!;
      const result = await client.callTool({ name: own, arguments: { ...args } }, { signal });
      return { ok: result.isError !== true, text: textOf(result.content) };
    },
    close,
  };
}

async function connected({ name, start, tokenEnv }: McpServerSpec, env: Env): Promise<Client> {
  const { Client } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "pawl", version: "1" });
  try {
    await client.connect(await transportTo(start, { env, token: tokenEnv === null ? undefined : env[tokenEnv] }));
    return client;
  } catch (error) {
    await client.close().catch(() => {});
    const what = "url" in start ? start.url : [start.program, ...start.args].join(" ");
    throw new PawlError("MCP_SERVER_FAILED", `the MCP server ${name} (${what}) does not answer: ${messageOf(error)}`, {
      next: "start it by hand to see why, or take it out of mcp_servers.",
      cause: error,
    });
  }
}

async function transportTo(
  start: McpServerSpec["start"],
  { env, token }: { readonly env: Env; readonly token: string | undefined },
) {
  if ("url" in start) {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return new StreamableHTTPClientTransport(new URL(start.url), { requestInit: { headers } });
  }
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  // Keys of models are none of its business: it gets where programs and the home are.
  const passed = Object.fromEntries(
    ["PATH", "HOME", "LANG", "TMPDIR"].flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]])),
  );
  return new StdioClientTransport({ command: start.program, args: [...start.args], env: passed, stderr: "ignore" });
}

/** What a model can read of a result: its texts, cut; of anything else only that it is there. */
function textOf(content: readonly { readonly type: string; readonly text?: unknown }[]): string {
  const parts = content.map((part) => (typeof part.text === "string" ? part.text : `(${part.type})`));
  return parts.join("\n").slice(0, MAX_TEXT);
}
const MAX_TEXT = 20_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message.split("\n")[0]! : String(error));
