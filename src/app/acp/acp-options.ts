import { type Leave, type Permissions, TOOL_KINDS, type ToolKind } from "../../adapters/acp/permission.ts";
import { QUIRKS, type Quirk } from "../../adapters/acp/quirk.ts";
import { PawlError } from "../../domain/errors.ts";
import type { Ms } from "../../domain/names.ts";

/** What an agent of pawl.yaml comes to. It is a command line, so that it is frozen with the intent, and can be read in a log. */
export interface AcpOptions {
  readonly command: readonly string[];
  readonly mode: string | null;
  readonly model: string | null;
  readonly permissions: Permissions;
  readonly quirks: readonly Quirk[];
  /** how long a person is waited for; null: as long as is usual */
  readonly askMs: Ms | null;
}

export const LEAVES: readonly Leave[] = ["allow", "reject", "ask"];

/** `pawl acp-worker --mode default --permit fetch=reject -- gemini --acp` */
export const acpCommand = ({ command, mode, model, permissions, quirks, askMs }: AcpOptions): readonly string[] => [
  "pawl",
  "acp-worker",
  ...(mode === null ? [] : ["--mode", mode]),
  ...(model === null ? [] : ["--model", model]),
  ...Object.entries(permissions).flatMap(([kind, leave]) => ["--permit", `${kind}=${leave}`]),
  ...quirks.flatMap((quirk) => ["--quirk", quirk]),
  ...(askMs === null ? [] : ["--ask-timeout", `${askMs}`]),
  "--",
  ...command,
];

/** The same, read back: the words behind `acp-worker`. Throws USAGE. */
export function readAcpOptions(words: readonly string[]): AcpOptions {
  const end = words.indexOf("--");
  const command = end < 0 ? [] : words.slice(end + 1);
  if (command.length === 0) throw usage("it names no agent");
  const options = end < 0 ? words : words.slice(0, end);
  const permissions: Partial<Record<ToolKind, Leave>> = {};
  const quirks: Quirk[] = [];
  let [mode, model]: (string | null)[] = [null, null];
  let askMs: Ms | null = null;
  for (let i = 0; i < options.length; i += 2) {
    const [flag, value] = [options[i], options[i + 1]];
    if (value === undefined) throw usage(`${flag} has no value`);
    if (flag === "--mode") mode = value;
    else if (flag === "--model") model = value;
    else if (flag === "--permit") Object.assign(permissions, permitOf(value));
    else if (flag === "--quirk") quirks.push(...QUIRKS.filter((quirk) => quirk === value));
    else if (flag === "--ask-timeout") askMs = Number(value);
    else throw usage(`${flag} is not known`);
  }
  return { command, mode: mode ?? null, model: model ?? null, permissions, quirks, askMs };
}

function permitOf(value: string): Partial<Record<ToolKind, Leave>> {
  const [kind, leave] = value.split("=");
  const known = TOOL_KINDS.find((one) => one === kind);
  const said = LEAVES.find((one) => one === leave);
  if (known === undefined || said === undefined) throw usage(`--permit ${value} is not known`);
  return { [known]: said };
}

const usage = (why: string): PawlError =>
  new PawlError("USAGE", `pawl acp-worker is started by pawl run, and ${why}`, {
    next: "agents: {implementer: {acp: gemini --acp}} in pawl.yaml has pawl run do it.",
  });
