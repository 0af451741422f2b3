import { realpathSync } from "node:fs";
import { join } from "node:path";
import { agentFiles } from "../../adapters/acp/agent-files.ts";
import { type AgentEnd, driveAgent } from "../../adapters/acp/drive-agent.ts";
import type { OpenSession } from "../../adapters/acp/open-session.ts";
import { SESSION_FILE } from "../../adapters/acp/session-record.ts";
import { terminals } from "../../adapters/acp/terminals.ts";
import { json, replaceFile } from "../../adapters/agents/files.ts";
import { fileMark } from "../../adapters/agents/leg.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { systemFiles } from "../../adapters/system/files.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import { EXIT } from "../cli/exit-code.ts";
import { version } from "../cli/version.ts";
import { openCommands } from "../commands.ts";
import { findRepo } from "../config/repository.ts";
import { openEditor } from "../editor.ts";
import { mailboxOf } from "../worker/mailbox.ts";
import type { AcpOptions } from "./acp-options.ts";
import { ASK_MS, askLeave } from "./ask-leave.ts";
import { concluded } from "./conclude.ts";
import { earlierSession } from "./earlier-session.ts";
import { knownOf } from "./known.ts";
import { ourServer } from "./our-server.ts";
import { progressTo } from "./progress-to.ts";
import { type AcpTask, scopeOf } from "./task.ts";
import { wordsFor } from "./words.ts";

/**
 * Drives an agent that speaks ACP as the worker of one leg: one turn, and what came of it as verdict.json, waiting.json or
 * an open submission. Exit code: 0 a verdict is there; 1 it crashed; 5 somebody has to answer, or a provider is away; 130
 * it was stopped.
 */
export async function acpWorker(
  options: AcpOptions,
  on: { readonly task: AcpTask; readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<number> {
  const { task, say, signal } = on;
  const before = fileMark(join(task.run, RUN_FILES.verdict));
  const end = await driven(options, on);
  if (end.how === "stopped") return EXIT.interrupted;
  const hasVerdict = fileMark(join(task.run, RUN_FILES.verdict)) !== before;
  if (hasVerdict) return EXIT.done;
  if (end.how === "turn-ended" && isAtGate(task.run)) {
    say("waits  for the owner's answer; a later leg goes on");
    return EXIT.waits;
  }
  return concluded(end, { task, say, signal });
}

const isAtGate = (run: string): boolean => mailboxOf(run).at(-1)?.answer === null;

async function driven(
  { command, mode, model, permissions, quirks, askMs }: AcpOptions,
  { task, say, signal }: { task: AcpTask; say: (line: string) => void; signal: AbortSignal },
): Promise<AgentEnd> {
  const clock = systemClock();
  const top = realpathSync(task.worktree);
  const editor = openEditor(top, scopeOf(task));
  for (const { outcome } of await editor.recover()) say(`an edit that was broken off is ${outcome}`);
  const repo = await findRepo(top).catch(() => null);
  const before = earlierSession(task.run, { command, cwd: top });
  const progress = progressTo(task);
  const known = await knownOf(task, before);
  const order = {
    command,
    cwd: top,
    env: process.env,
    mode,
    model,
    permissions,
    before,
    version: version(),
    mcpServers: [ourServer(process.env)],
    words: (session: OpenSession) => wordsFor(known, session),
  };
  const parts = {
    files: agentFiles({ top, files: systemFiles(), editor, scope: scopeOf(task), quirks }),
    terminals: terminals(top, openCommands(repo, process.env)),
    clock,
    say,
    tell: progress.tell,
    ask: askLeave({ run: task.run, task: task.id, timeoutMs: askMs ?? ASK_MS, say, tell: progress.wait }),
    keep: (record: object) => replaceFile(join(task.run, SESSION_FILE), json(record)),
  };
  const end = await driveAgent(order, parts, signal);
  progress.end(end);
  return end;
}
