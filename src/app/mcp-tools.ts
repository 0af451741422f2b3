import type { McpServerSpec, McpTools } from "../adapters/tools/mcp/connect-mcp.ts";
import type { PawlFile } from "./config/pawl-file.ts";

type Written = NonNullable<PawlFile["mcp_servers"]>;

/** The tools of `mcp_servers:` of pawl.yaml; their library is loaded only where there are some. Throws MCP_SERVER_FAILED. */
export async function mcpTools(
  written: Written | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<McpTools> {
  const specs = Object.entries(written ?? {}).map(([name, one]) => specOf(name, one));
  if (specs.length === 0) return NO_TOOLS;
  const { connectMcp } = await import("../adapters/tools/mcp/connect-mcp.ts");
  return connectMcp(specs, env);
}

function specOf(name: string, { command, url, token_env: tokenEnv }: Written[string]): McpServerSpec {
  if (url !== undefined) return { name, start: { url }, tokenEnv: tokenEnv ?? null };
  const [program, ...args] = typeof command === "string" ? ["sh", "-c", command] : (command ?? []);
  return { name, start: { program: program!, args }, tokenEnv: null };
}

const NO_TOOLS: McpTools = {
  names: [],
  specs: [],
  call: async (tool) => ({ ok: false, text: `there is no tool ${tool}` }),
  close: async () => {},
};
