import { join } from "node:path";
import { openSqlite } from "../../adapters/store/open-sqlite.ts";
import { cleaning } from "../../adapters/tools/cleaned.ts";
import { memoryTools } from "../../adapters/tools/memory/memory-tools.ts";
import { pageCache } from "../../adapters/tools/research/page-cache.ts";
import { researchTool } from "../../adapters/tools/research/research-tool.ts";
import type { SearchSpec } from "../../adapters/tools/research/search-spec.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Tool } from "../../ports/tool.ts";

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
  close(): Promise<void>;
}

/** Introduces those tools to this machine; nothing is opened or loaded before the first call. */
export function outsideTools({ main, task, env, clock, research: spec }: OutsideOrder): OutsideTools {
  const state = join(main, ".pawl");
  const now = () => clock.read().wall;
  const cleaned = cleaning(env);
  const memory = memoryTools({ path: join(state, "memory.db"), sqlite: openSqlite, task, now, cleaned });
  const research = researchTool({ spec, env, cache: pageCache(join(state, "cache", "pages")), now, cleaned });
  return {
    tools: [...memory.tools, research],
    async close() {
      memory.close();
    },
  };
}
