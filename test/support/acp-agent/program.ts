import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundle.ts";

let made: Promise<string> | null = null;
/** The agent as one file of JavaScript, made once by each test file. */
export function testAgent(): Promise<string> {
  made ??= (async () => {
    const out = join(process.cwd(), "node_modules/.cache/pawl-fixtures", `acp-agent-${process.pid}`);
    mkdirSync(out, { recursive: true });
    await bundle({ "acp-agent": "test/support/acp-agent/agent.ts" }, out, [
      "@agentclientprotocol/sdk",
      "zod",
      "zod/v4",
    ]);
    return join(out, "acp-agent.mjs");
  })();
  return made;
}
