import { join } from "node:path";
import type { AgentEnd } from "../../adapters/acp/drive-agent.ts";
import { json, replaceFile } from "../../adapters/agents/files.ts";
import { scopeFindings, scopeOf } from "../../adapters/agents/scope.ts";
import { ENDINGS } from "../../domain/ending.ts";
import type { Failure } from "../../protocol/failure.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import { type Verdict, verdictSchema } from "../../protocol/verdict.ts";
import { changedFiles } from "../cli/changed-files.ts";
import { EXIT } from "../cli/exit-code.ts";
import { noteWaiting } from "../cli/note-waiting.ts";
import { runChecks } from "../cli/run-checks.ts";
import { verdictOf } from "./deeds.ts";
import { progressTo } from "./progress-to.ts";
import type { AcpTask } from "./task.ts";

interface On {
  readonly task: AcpTask;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What an end without a verdict of the agent's own comes to: a verdict of ours, or what is waited for. Gives the exit code. */
export async function concluded(end: AgentEnd, on: On): Promise<number> {
  if (end.how === "failed") return failed(end.failure, on);
  if (end.how === "asks") {
    const { kind, title } = end.wish;
    const how = `permissions: {${kind}: allow} in pawl.yaml lets it, then pawl retry ${on.task.id}`;
    return verdict({ verdict: "BLOCKED", detail: `it asks for leave to ${kind}: ${title}; ${how}`, findings: [] }, on);
  }
  const stopped = end.how === "turn-ended" ? BY_STOP[end.stop] : undefined;
  if (stopped !== undefined) return failed({ ...stopped, until: null }, on);
  const said = await verdictOf(end, deedsOf(on));
  if (on.signal.aborted) return EXIT.interrupted;
  if (said !== null) return verdict(said, on);
  on.say("ended  without a verdict: a role that only judges ends with a line PASS, FAIL: … or BLOCKED: …");
  return EXIT.no;
}

function deedsOf({ task, say, signal }: On) {
  const { worktree: cwd, bases, order, isJudge } = task;
  const { checks, copy } = order.brief;
  const isCopied = (path: string) => copy.some((from) => path === from || path.startsWith(`${from}/`));
  const echo = (chunk: Buffer) => void process.stderr.write(chunk);
  return {
    cwd,
    checks,
    isJudge,
    changed: () => changedFiles(cwd, bases),
    outside: (changed: readonly string[]) =>
      scopeFindings({ committed: changed.filter((path) => !isCopied(path)), left: [] }, scopeOf(order.brief)),
    check() {
      if (checks.length > 0) progressTo(task).say("testing", `runs ${checks.length} checks`);
      return runChecks({ checks, cwd, bases }, { env: process.env, say, echo, signal });
    },
  };
}

/** What each failure leads to is the host's to say; one that nobody knows is a crash. */
function failed({ kind, why, until }: Failure, on: On): number {
  noteWaiting(process.env, { for: kind, until, why: `${BEFORE[kind] ?? ""}${why}` });
  if (kind === "crash") {
    on.say(`crash  ${why}`);
    return EXIT.no;
  }
  on.say(`waits  ${ENDINGS[kind].says}: ${why}`);
  return EXIT.waits;
}

const BEFORE: Readonly<Partial<Record<Failure["kind"], string>>> = {
  "not-started": "the agent cannot begin: ",
  crash: "the agent went away or failed: ",
};

/** Ends of a turn that are none of the work. */
const BY_STOP: Readonly<Record<string, Pick<Failure, "kind" | "why">>> = {
  refusal: { kind: "model-refused", why: "word the task otherwise, or give it to another agent" },
  max_tokens: { kind: "context-full", why: "or its answer was cut off: the task may be too big for one go" },
};

function verdict(said: Pick<Verdict, "verdict" | "detail" | "findings">, { task, say }: On): number {
  const whole = verdictSchema.parse({ version: 1, leg: task.leg, ...said, at: new Date().toISOString() });
  replaceFile(join(task.run, RUN_FILES.verdict), json(whole));
  say(`verdict ${said.verdict}${said.detail === "" ? "" : `: ${said.detail.split("\n")[0]}`}`);
  return EXIT.done;
}
