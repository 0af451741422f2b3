import { isMap } from "yaml";
import { type Permissions, TOOL_KINDS } from "../../adapters/acp/permission.ts";
import { LEAVES } from "../acp/acp-options.ts";
import { command, type Decode, duration, line, oneOf, record } from "./decode.ts";
import { missingKey } from "./missing-key.ts";
import { CUSTOM, PRESET_NAMES } from "./presets.ts";
import { either, schemaOf, shaped } from "./schema-of.ts";
import { child, nodeOf, noteFault, type Spot } from "./spot.ts";

/** An agent that speaks ACP, as pawl.yaml has it. */
export interface AcpEntry {
  /** words: directly; a text of plain words too, any other through the shell */
  readonly command: string | readonly string[] | undefined;
  readonly preset: string | undefined;
  readonly mode: string | undefined;
  readonly model: string | undefined;
  readonly permissions: Permissions | undefined;
  /** ms */
  readonly askTimeout: number | undefined;
}

const leave = oneOf(LEAVES);

/** By what an agent does: read, edit, execute … */
export const permissions: Decode<Permissions> = record(
  Object.fromEntries(TOOL_KINDS.map((kind) => [kind, leave])),
) as unknown as Decode<Permissions>;

const WHOLE = record({
  command,
  preset: oneOf([...PRESET_NAMES, CUSTOM]),
  mode: line,
  model: line,
  permissions,
  ask_timeout: duration,
});

/** `gemini --acp`, a list of words, or a mapping with the command or the preset in it. */
export const acpKey: Decode<AcpEntry> = shaped(
  () => either(schemaOf(command), schemaOf(WHOLE)),
  (spot: Spot) => {
    if (nodeOf(spot) === null) return undefined;
    if (!isMap(nodeOf(spot))) {
      const said = command(spot);
      return said === undefined ? undefined : { ...NOTHING, command: said };
    }
    const entry = WHOLE(spot);
    if (entry === undefined) return undefined;
    const isNamed = entry.preset !== undefined && entry.preset !== CUSTOM;
    if (entry.command === undefined && !isNamed)
      return missingKey(
        spot,
        entry.preset === CUSTOM ? "command" : ["command", "preset"],
        `${spot.path} needs command: the agent, as it is started`,
        { next: `write it like {command: my-agent --acp}, or {preset: ${PRESET_NAMES[0]}}.` },
      );
    const { ask_timeout: askTimeout, ...others } = entry;
    return { ...others, askTimeout };
  },
);

const NOTHING: AcpEntry = {
  command: undefined,
  preset: undefined,
  mode: undefined,
  model: undefined,
  permissions: undefined,
  askTimeout: undefined,
};

/** Notes keys that mean something to an agent that speaks ACP alone. */
export function onlyForAcp(
  spot: Spot,
  entry: { readonly acp: unknown } & Partial<Readonly<Record<string, unknown>>>,
): void {
  if (entry.acp !== undefined) return;
  for (const key of ["mode", "model", "permissions", "ask_timeout"])
    if (entry[key] !== undefined)
      noteFault(child(spot, key), "KEY_UNKNOWN", `"${key}" of ${spot.path} is for an agent that speaks ACP`, {
        key: true,
        next: `take "${key}" out, or write acp: in place of command:.`,
      });
}
