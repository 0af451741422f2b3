import { command, type Decode, line, named, record } from "./decode.ts";
import { missingKey } from "./missing-key.ts";
import { schemaOf, shaped, TEXT } from "./schema-of.ts";
import { child, noteFault, type Spot } from "./spot.ts";

/** Of the web, and without a password: pawl.yaml is for everybody. */
const address: Decode<string> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const written = line(spot);
    if (written === undefined) return undefined;
    const url = URL.canParse(written) ? new URL(written) : null;
    if (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "") return written;
    noteFault(spot, "TYPE_BAD", `${spot.path} has to be an address of the web, without a name or a key in it`, {
      next: 'write it like "https://tools.example.org/mcp", and name the variable with the key as token_env.',
    });
    return undefined;
  },
);

/** `mcp_servers:` by their names: each a command that is run, or an address with the variable of its token. */
export const mcpServersKey = (variable: Decode<string>) => {
  const server = record({ command, url: address, token_env: variable });
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
