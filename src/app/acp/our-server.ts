import type { McpServer } from "@agentclientprotocol/sdk";
import { WORKER_ENV } from "../../protocol/run-folder.ts";
import { pawlCommand } from "../pawl-command.ts";

/** The MCP server that an agent is offered: what a worker can say to its owner. Agents start it without our environment. */
export function ourServer(env: NodeJS.ProcessEnv): McpServer {
  const [command = "", ...args] = pawlCommand();
  const names = [...Object.values(WORKER_ENV), "PATH", "HOME"];
  const given = names.flatMap((name) => (env[name] === undefined ? [] : [{ name, value: env[name] }]));
  return { name: "pawl", command, args: [...args, "mcp", "--worker"], env: given };
}
