import type { McpServer } from "@agentclientprotocol/sdk";

/** Starts the server that was offered, calls one tool of it, and gives the answer's text. */
export async function callTool(servers: readonly McpServer[], tool: string, input: unknown): Promise<string> {
  const [server] = servers;
  if (server === undefined || !("command" in server)) return "no server was offered";
  // only who calls a tool pays for it
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "test-agent", version: "1" });
  const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  await client.connect(new StdioClientTransport({ command: server.command, args: server.args, env }));
  try {
    const result = await client.callTool({ name: tool, arguments: input as Record<string, unknown> });
    return (result.content as { text?: string }[]).map(({ text = "" }) => text).join("\n");
  } finally {
    await client.close();
  }
}
