import { nodesOf } from "./nodes.ts";
import type { Done, WorkerState } from "./worker-state.ts";

const STATUS = { PASS: "completed", NO_CHANGE: "completed", FAIL: "failed", BLOCKED: "blocked" } as const;

/**
 * run.json (executive-worker.md 2.1; architecture 8): all fields from the first write on. `commands` are the calls that
 * ran a command, and those that broke; a call that a crash hid has ending "unknown".
 */
export function runLog(state: WorkerState): Record<string, unknown> {
  const { finished, validated, goal } = state;
  return {
    run_id: state.runId,
    task_id: state.assignment.task_id,
    start_ts: iso(state.startedAt),
    end_ts: finished ? iso(finished.at) : null,
    status: finished ? STATUS[finished.verdict] : "in_progress",
    eoi: state.eoi,
    plan_steps: state.plan?.plan.files.length ?? 0,
    current_step: goal?.task.current_step ?? 0,
    commands: state.done.filter(isCommand).map(command),
    commits: state.commits,
    validation: {
      compiled: validated === null ? null : validated.every(({ ending }) => ending !== "spawn-failed"),
      tests: {
        passed: validated === null ? null : validated.every(({ passed }) => passed),
        summary: (validated ?? []).map(({ name, words }) => `${name}: ${words.split("\n")[0]}`).join("; "),
      },
    },
    affected_nodes: nodesOf(state)
      .filter(({ status }) => status !== "unchanged")
      .map(({ id, status, coverage_pct, evidence, note }) => ({ id, status, coverage_pct, evidence, note })),
    reflections: state.decisions.map((message) => ({ type: "decision", message })),
    error: finished && STATUS[finished.verdict] !== "completed" ? finished.detail : null,
  };
}

const iso = (at: number): string => new Date(at).toISOString();

/** A tool that runs commands says so by the exit code in its data. */
const isCommand = ({ tool, result }: Done): boolean =>
  tool === "shell" ||
  tool === "test.run" ||
  typeof (result?.data as { exit_code?: unknown } | undefined)?.exit_code === "number";

interface CommandData {
  readonly cmd?: string;
  readonly exit_code?: number;
  readonly stderr?: string;
  readonly ending?: string;
  readonly log?: string;
}

function command({ tool, args, result, startedAt, endedAt }: Done): Record<string, unknown> {
  const data = (result?.data ?? {}) as CommandData;
  return {
    cmd: data.cmd ?? (typeof args.cmd === "string" ? args.cmd : `${tool} ${JSON.stringify(args)}`),
    exit_code: data.exit_code ?? -1,
    top_stderr: (data.stderr ?? "").split("\n").slice(0, 20).join("\n").slice(0, 2048),
    duration_ms: endedAt - startedAt,
    ending: result === null ? "unknown" : (data.ending ?? "failed"),
    log: data.log ?? null,
  };
}
