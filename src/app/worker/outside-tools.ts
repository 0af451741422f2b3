import { join } from "node:path";
import { openSqlite } from "../../adapters/store/open-sqlite.ts";
import { cleaning } from "../../adapters/tools/cleaned.ts";
import type { McpTools } from "../../adapters/tools/mcp/connect-mcp.ts";
import { memoryTools } from "../../adapters/tools/memory/memory-tools.ts";
import { pageCache } from "../../adapters/tools/research/page-cache.ts";
import { researchTool } from "../../adapters/tools/research/research-tool.ts";
import type { SearchSpec } from "../../adapters/tools/research/search-spec.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Tool } from "../../ports/tool.ts";
import type { PawlFile } from "../config/pawl-file.ts";
import { servedTools } from "./served-tools.ts";

export interface OutsideOrder {
  /** absolute: the main checkout, whose `.pawl` keeps what is known and what was fetched */
  readonly main: string;
  /** the task's id */
  readonly task: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** null: nobody searches the internet, and pages are read all the same */
  readonly research: SearchSpec | null;
}

/** Tools that reach beyond the checkout. What they hold open is let go of by `close`, after which nothing of them lives. */
export interface OutsideTools {
  readonly tools: readonly Tool[];
  /** Starts servers of tools, and gives what they have. Throws MCP_SERVER_FAILED, with none left running. */
  serve(servers: PawlFile["mcp_servers"]): Promise<readonly Tool[]>;
  close(): Promise<void>;
}

/** Characters of a server's answer that a model sees. */
const MOST_SERVED = 20_000;

/** Introduces those tools to this machine; nothing is opened or loaded before the first call. */
export function outsideTools({ main, task, env, clock, research: spec }: OutsideOrder): OutsideTools {
  const state = join(main, ".pawl");
  const now = () => clock.read().wall;
  const cleaned = cleaning(env);
  const memory = memoryTools({ path: join(state, "memory.db"), sqlite: openSqlite, task, now, cleaned });
  const research = researchTool({ spec, env, cache: pageCache(join(state, "cache", "pages")), now, cleaned });
  let served: McpTools | null = null;
  return {
    tools: [...memory.tools, research],
    async serve(servers) {
      if (Object.keys(servers ?? {}).length === 0) return [];
      const { mcpTools } = await import("../mcp-tools.ts");
      served = await mcpTools(servers, env);
      return servedTools(served, (text) => cleaned(text, MOST_SERVED));
    },
    async close() {
      memory.close();
      await served?.close();
    },
  };
}
