import { z } from "zod";
import type { HandCommandResult } from "../../../workspace/hands/hands.ts";
import { scopeDocument, scopeNotes } from "../../cli/views/scope.ts";
import type { HandTool } from "../tool.ts";

const input = z.strictObject({
  cmd: z
    .union([z.string().min(1), z.array(z.string()).min(1)])
    .describe("a text for the shell, or a program and what it is given"),
  cwd: z.string().exactOptional().describe("the folder that it runs in, from the top of the repository"),
  env: z.record(z.string(), z.string()).exactOptional().describe("variables that it finds beside the usual ones"),
  timeout: z.number().positive().max(7_200).exactOptional().describe("seconds (default 600)"),
  idle: z.number().positive().max(7_200).exactOptional().describe("seconds that it may say nothing (default 300)"),
});

export const execTool: HandTool<z.infer<typeof input>> = {
  name: "exec",
  title: "Run a command",
  description:
    "Runs a command to its end and gives its exit code and output (beginning and end, where it is long). It has no " +
    "terminal and no input; nothing of it lives on afterwards, so a server cannot be started with it. A command that " +
    "failed is an answer like any other.",
  input,
  behaviour: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run(hands, { timeout, idle, ...command }, signal) {
    const ms = (seconds: number) => Math.max(1, Math.round(seconds * 1_000));
    const result = await hands.exec({
      ...command,
      ...(timeout === undefined ? {} : { timeoutMs: ms(timeout) }),
      ...(idle === undefined ? {} : { idleMs: ms(idle) }),
      signal,
    });
    return { text: textOf(result), document: documentOf(result), isError: result.ending === "spawn-failed" };
  },
};

function textOf({ ending, exit_code, why, stdout, stderr, cut, scope }: HandCommandResult): string {
  const end = ending === "exit" ? `exit code ${exit_code}` : `${ending}: it ${why}`;
  const missing = (bytes = 0) => (bytes > 0 ? ` (${bytes} bytes left out)` : "");
  return [
    end,
    ...(stdout === "" ? [] : [`stdout${missing(cut?.stdout)}:`, stdout.trimEnd()]),
    ...(stderr === "" ? [] : [`stderr${missing(cut?.stderr)}:`, stderr.trimEnd()]),
    ...(scope === null ? [] : scopeNotes(scope)),
  ].join("\n");
}

const documentOf = ({ scope, ...result }: HandCommandResult) => ({
  ok: result.success,
  ...result,
  ...(scope === null ? {} : { scope: scopeDocument(scope) }),
});
