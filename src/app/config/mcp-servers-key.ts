import { command, type Decode, line, named, record } from "./decode.ts";
import { missingKey } from "./missing-key.ts";
import { schemaOf, shaped } from "./schema-of.ts";
import { child, noteFault, type Spot } from "./spot.ts";

/** `mcp_servers:` by their names: each a command that is run, or an address with the variable of its token. */
export const mcpServersKey = (variable: Decode<string>) => {
  const server = record({ command, url: line, token_env: variable });
  const read = (spot: Spot) => {
    const entry = server(spot);
    if (entry === undefined || (entry.command === undefined) !== (entry.url === undefined)) return entry;
    const both = entry.command !== undefined;
    if (!both) return missingKey(spot, ["command", "url"], `${spot.path} needs command: what is run, or url`);
    noteFault(child(spot, "url"), "TYPE_BAD", `${spot.path} has a command and a url, and cannot have both`, {
      key: true,
      next: 'take "command" out, or "url".',
    });
    return undefined;
  };
  return named(shaped(() => schemaOf(server), read));
};
