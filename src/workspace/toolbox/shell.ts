import { z } from "zod";
import { PawlError } from "../../domain/errors.ts";
import type { Tool, ToolResult } from "../../ports/tool.ts";
import type { HandCommandResult, Hands } from "../hands/hands.ts";
import type { ScopeReport } from "../scope/guard.ts";
import { defineTool } from "./define.ts";

const MOST_CHARS = 24_000;

/** `shell`: a command of any kind, to its end. */
export const shellTool = (hands: Pick<Hands, "exec">): Tool =>
  defineTool({
    name: "shell",
    description: "Runs a shell command to its end: exit code and output. No terminal, no input.",
    input: z.strictObject({
      cmd: z.string().min(1),
      cwd: z.string().optional(),
      timeout: z.number().positive().max(7200).optional().describe("seconds, default 600"),
    }),
    writes: true,
    run: async ({ cmd, cwd, timeout }, { signal, onOutput, logFile }) => {
      try {
        const result = await hands.exec({
          cmd,
          signal,
          ...(cwd === undefined ? {} : { cwd }),
          ...(timeout === undefined ? {} : { timeoutMs: Math.round(timeout * 1000) }),
          ...(logFile === null ? {} : { logFile }),
          ...(onOutput ? { onOutput: ({ bytes }) => onOutput(Buffer.from(bytes).toString("utf8")) } : {}),
        });
        return told(cmd, result);
      } catch (error) {
        if (error instanceof PawlError)
          return {
            ok: false,
            text: `${error.code} ${error.message}`,
            data: { cmd, exit_code: -1, stderr: error.message },
          };
        throw error;
      }
    },
  });

function told(cmd: string, result: HandCommandResult): ToolResult {
  const { success, exit_code, ending, why, stdout, stderr, cut, scope, log } = result;
  const end = ending === "exit" ? `exit code ${exit_code}` : `${ending}: it ${why}`;
  const text = [
    end,
    ...stream("stdout", stdout, cut?.stdout),
    ...stream("stderr", stderr, cut?.stderr),
    ...(scope ? scopeWords(scope) : []),
  ].join("\n");
  return {
    ok: success,
    text: middleCut(text, MOST_CHARS),
    data: {
      cmd,
      exit_code,
      ending,
      stderr: stderr.slice(0, 4_000),
      empty: stdout.trim() === "" && stderr.trim() === "",
      ...(log ? { log } : {}),
    },
    changed: scope?.written ?? [],
  };
}

const stream = (name: string, text: string, cut = 0): readonly string[] =>
  text.trim() === "" ? [] : [`${name}${cut > 0 ? ` (${cut} bytes left out)` : ""}:`, text.trimEnd()];

/** What was put right after a command, for who ran it. */
export function scopeWords({ putBack, quarantined, unread }: ScopeReport): readonly string[] {
  return [
    ...named("outside your scope, put back", putBack),
    ...named(
      "outside your scope, moved away",
      quarantined.map(({ path }) => path),
    ),
    ...named("not looked at", unread),
  ];
}

const named = (what: string, paths: readonly string[]): readonly string[] =>
  paths.length === 0
    ? []
    : [`${what}: ${paths.slice(0, 10).join(", ")}${paths.length > 10 ? ` and ${paths.length - 10} more` : ""}`];

/** The beginning and the end of a text: what fails stands at the end, what was run at the beginning. */
export function middleCut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const [head, tail] = [Math.floor(chars * 0.4), Math.floor(chars * 0.6)];
  return `${text.slice(0, head)}\n[${text.length - head - tail} characters left out]\n${text.slice(-tail)}`;
}
