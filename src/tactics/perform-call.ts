import type { ToolResult } from "../ports/tool.ts";
import type { Action } from "./action.ts";
import type { Doing } from "./perform.ts";
import type { WorkerEnd } from "./worker.ts";

/**
 * The coordinator: makes one call, as it was decided, and says what came of it. That it starts is on the disk before it
 * does; a tool that throws has failed with exit_code -1, and the work goes on, unless nothing more can be done.
 */
export async function performCall(action: Extract<Action, { do: "call" }>, doing: Doing): Promise<WorkerEnd | null> {
  const { desk, signal } = doing;
  const { call, tool, args } = action;
  await desk.note({ r: "started", id: call.id, tool, args }, { durable: true });
  const result = await made(action, doing);
  if (signal.aborted && !result.ok) return { how: "stopped" };
  await desk.note({ r: "ended", id: call.id, result });
  return null;
}

async function made(
  { tool, args, call }: Extract<Action, { do: "call" }>,
  { parts, signal, heard }: Doing,
): Promise<ToolResult> {
  try {
    return await parts.tools.get(tool)!.run(args, { signal, onOutput: heard, logFile: null });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const data = { exit_code: -1, stderr: why };
    return { ok: false, text: `${call.name} broke: ${why}`, data, ...fatalOf(error) };
  }
}

/** The machine will not let anything more be done: whatever is tried next would break in the same way. */
const FATAL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "REPO_MISSING", "EDIT_ROOT"]);

function fatalOf(error: unknown): Pick<ToolResult, "fatal"> {
  if (!(error instanceof Error) || !("code" in error)) return {};
  const code = String(error.code);
  return FATAL.has(code) ? { fatal: { code, message: error.message } } : {};
}
