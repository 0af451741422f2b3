import type { McpTools } from "../../adapters/tools/mcp/connect-mcp.ts";
import type { Tool } from "../../ports/tool.ts";
import type { Materials } from "../../tactics/materials.ts";
import type { Pattern } from "../../tactics/pattern.ts";

/** So long a server may take for one call. */
const CALL_MS = 60_000;

/**
 * Tools of MCP servers as a worker has them: `mcp.NAME`. What they do outside nobody here knows: each call is recorded
 * before it is made, and one that a crash cut off is unknown. `cleaned` takes secrets and control characters out.
 */
export const servedTools = ({ specs, call }: McpTools, cleaned: (text: string) => string): readonly Tool[] =>
  specs.map(({ name, description, input }) => ({
    name: servedName(name),
    description,
    input,
    writes: true,
    async run(args, { signal }) {
      const limit = AbortSignal.timeout(CALL_MS);
      try {
        const { ok, text } = await call(name, args, AbortSignal.any([signal, limit]));
        return { ok, text: cleaned(text) };
      } catch (error) {
        if (signal.aborted) throw error;
        const why = limit.aborted ? `no answer within ${CALL_MS / 1000} s` : messageOf(error);
        return { ok: false, text: `${name} failed: ${cleaned(why)}` };
      }
    },
  }));

/** As providers take names: lower case, digits and _. */
const servedName = (name: string): string =>
  `mcp.${name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .slice(0, 56)}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Task types that change or find out something may use them too. */
export function offering(materials: Materials, tools: readonly Tool[]): Materials {
  if (tools.length === 0) return materials;
  const names = tools.map(({ name }) => name);
  const more = (pattern: Pattern): Pattern =>
    FORMAL.has(pattern.name) ? pattern : { ...pattern, also: [...new Set([...pattern.also, ...names])] };
  const patterns = new Map([...materials.patterns].map(([name, pattern]) => [name, more(pattern)]));
  return { ...materials, patterns };
}
const FORMAL: ReadonlySet<string> = new Set(["plan", "report", "memory_op"]);
