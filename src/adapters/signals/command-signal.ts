import PQueue from "p-queue";
import type { SignalAnswer } from "../../domain/input.ts";
import type { Ms, TaskId } from "../../domain/names.ts";
import type { CommandLine } from "../../ports/runtime.ts";
import type { Question, Signals } from "../../ports/signals.ts";
import type { Processes } from "../../ports/system.ts";
import { type Ended, runCommand } from "./short-command.ts";

export interface CommandSignalOptions {
  readonly command: CommandLine;
  /** how often one question is put to it */
  readonly everyMs: Ms;
  readonly cwd: string;
  /** the whole environment it gets, besides PAWL_TASK, PAWL_HEAD, PAWL_BRANCH, PAWL_BASE, PAWL_PR, PAWL_SIGNAL */
  readonly env: Readonly<Record<string, string>>;
  /** to end what left its process group */
  readonly processes?: Processes;
  readonly timeoutMs?: Ms;
  /** ms since any start; never goes back */
  readonly now?: () => number;
}

const TIMEOUT_MS = 60_000;
const AT_ONCE = 4;

/**
 * A user's command answers: exit 0 approved, 1 rejected (what it printed is the message), 75 pending. Anything else,
 * also a command that cannot be started or takes over 60 s, is pending, and its message is a warning. At most four run
 * at once; none of its processes lives on. It may be run again for the same question: it should only look.
 */
export function commandSignal(options: CommandSignalOptions): Signals {
  const { everyMs, now = () => performance.now() } = options;
  const queue = new PQueue({ concurrency: AT_ONCE });
  const known = new Map<string, { readonly at: number; readonly answer: SignalAnswer }>();

  return {
    async ask(questions, { signal }) {
      const ids = new Set(questions.map(answerId));
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
      await Promise.all(questions.filter(isDue).map((question) => queue.add(() => answer(question, signal))));
      const seen = questions.flatMap((question) => answered(question));
      return {
        seen,
        againAfterMs: Math.max(0, Math.min(everyMs, ...[...known.values()].map(({ at }) => at + everyMs - now()))),
      };
    },
  };

  function isDue(question: Question): boolean {
    const last = known.get(answerId(question));
    return last === undefined || now() - last.at >= everyMs;
  }

  /** Cut off by its permit it is no answer: it is asked again. */
  async function answer(question: Question, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const ended = await run(question, signal);
    if (ended.ending !== "cancelled") known.set(answerId(question), { at: now(), answer: answerOf(question, ended) });
  }

  function answered(question: Question): readonly { task: TaskId; answer: SignalAnswer }[] {
    const last = known.get(answerId(question));
    return last === undefined ? [] : [{ task: question.task, answer: last.answer }];
  }

  function run(question: Question, signal: AbortSignal): Promise<Ended> {
    const { command, cwd, env, processes, timeoutMs = TIMEOUT_MS } = options;
    return runCommand({ command, cwd, env: { ...env, ...variables(question) }, timeoutMs, signal, processes });
  }
}

/** The same answer has the same id for ever: one per question. */
const answerId = ({ signal, task, head, since }: Question): string => `${signal}:${task}:${head ?? "-"}:${since}`;

const variables = ({ task, head, branch, base, pr, signal }: Question): Readonly<Record<string, string>> => ({
  PAWL_TASK: task,
  PAWL_HEAD: head ?? "",
  PAWL_BRANCH: branch,
  PAWL_BASE: base,
  PAWL_PR: pr ?? "",
  PAWL_SIGNAL: signal,
});

function answerOf(question: Question, ended: Ended): SignalAnswer {
  const { signal, head } = question;
  const of = { id: answerId(question), head, by: signal, findings: [] };
  const said = ended.stdout.trim() || null;
  const code = ended.ending === "exit" ? ended.code : null;
  if (code === 0) return { ...of, status: "approved", message: said };
  if (code === 1) return { ...of, status: "rejected", message: said ?? `${signal} rejected without a reason` };
  if (code === 75) return { ...of, status: "pending", message: said };
  return { ...of, status: "pending", message: warning(signal, ended) };
}

function warning(signal: string, { ending, code, detail, stderr }: Ended): string {
  const how = ending === "exit" ? `ended with exit code ${code}` : detail;
  const tail = stderr.trim().slice(-500);
  const known = "0 approves, 1 rejects, 75 is pending";
  return `the command of ${signal} ${how} (${known})${tail === "" ? "" : `: ${tail}`}`;
}
