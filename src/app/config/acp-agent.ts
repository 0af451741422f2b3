import { acpCommand } from "../acp/acp-options.ts";
import type { AcpEntry } from "./acp-key.ts";
import { CUSTOM, PRESETS, type Preset, presetOf } from "./presets.ts";

/** Without another word: a model that thinks says so, or does something, sooner than that. */
export const ACP_STALL_MS = 20 * 60_000;

/** What drives an agent that speaks ACP, and the variables that it gets. */
export interface AcpAgent {
  readonly command: readonly string[];
  readonly passes: readonly string[];
}

/** `common`: variables that hold keys of models, for an agent that nothing is known of. */
export function acpAgent(entry: AcpEntry, common: readonly string[]): AcpAgent {
  const written = entry.command === undefined ? undefined : wordsOf(entry.command);
  const preset = presetFor(entry.preset ?? (written === undefined ? null : presetOf(written)));
  return {
    command: acpCommand({
      command: written ?? preset?.command ?? [],
      mode: entry.mode ?? preset?.mode ?? null,
      model: entry.model ?? null,
      permissions: entry.permissions ?? {},
      quirks: preset?.quirks ?? [],
      askMs: entry.askTimeout ?? null,
    }),
    passes: preset?.passes ?? common,
  };
}

const presetFor = (name: string | null): Preset | null =>
  name === null || name === CUSTOM ? null : (PRESETS[name] ?? null);

/** The words of a plain command; what the shell has to read goes through it, in place of it. */
const wordsOf = (command: string | readonly string[]): readonly string[] =>
  typeof command !== "string"
    ? command
    : /^[\w@%+=:,./ -]+$/.test(command) && !/^\w+=/.test(command.trim())
      ? command.trim().split(/ +/)
      : ["/bin/sh", "-c", `exec ${command}`];
