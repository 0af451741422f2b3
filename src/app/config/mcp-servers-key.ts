import { command, type Decode, line, named, record } from "./decode.ts";
import { schemaOf, shaped } from "./schema-of.ts";
import { child, noteFault, type Spot } from "./spot.ts";

/** `mcp_servers:` by their names: each a command that is run, or an address with the variable of its token. */
export const mcpServersKey = (variable: Decode<string>) => {
  const server = record({ command, url: line, token_env: variable });
  const read = (spot: Spot) => {
    const entry = server(spot);
    if (entry === undefined || (entry.command === undefined) !== (entry.url === undefined)) return entry;
    const both = entry.command !== undefined;
    noteFault(both ? child(spot, "url") : spot, both ? "TYPE_BAD" : "KEY_MISSING", wants(spot.path, both), {
      key: true,
    });
    return undefined;
  };
  return named(shaped(() => schemaOf(server), read));
};

const wants = (path: string, both: boolean): string =>
  both ? `${path} has a command and a url, and cannot have both` : `${path} needs command: what is run, or url`;
