import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Doing } from "../../adapters/acp/doing.ts";
import type { AgentEnd } from "../../adapters/acp/drive-agent.ts";
import { json, readRecord, replaceFile } from "../../adapters/agents/files.ts";
import { nextProgress } from "../../protocol/next-progress.ts";
import { PERCENT, type Progress, progressSchema, type WorkerStatus } from "../../protocol/progress.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import type { AcpTask } from "./task.ts";

/** What an agent's work looks like from outside. What it says of itself (by its tools) counts before what we see of it. */
export interface ProgressTo {
  readonly tell: (doing: Doing) => void;
  /** it is as far as it was, and waits */
  readonly wait: (activity: string) => void;
  readonly say: (status: WorkerStatus, activity: string) => void;
  /** writes what it has cost */
  readonly end: (end: Pick<AgentEnd, "doing" | "tokens">) => void;
}

export function progressTo({ run, id, order }: AcpTask): ProgressTo {
  const path = join(run, RUN_FILES.progress);
  const spentBefore = readRecord<{ cost_usd?: number; tokens?: number }>(join(run, RUN_FILES.usage)) ?? {};
  const say = (status: WorkerStatus, activity: string, percent?: number): void => {
    const before = progressSchema.safeParse(readRecord(path)).data;
    const isBack = before !== undefined && PERCENT[before.status][0] > PERCENT[status][0];
    const said = isBack
      ? { status: undefined, percent: undefined, activity }
      : { status, percent: Math.max(percent ?? 0, before?.status === status ? before.percent : 0), activity };
    const now = { now: new Date().toISOString(), task: id, agent: order.brief.assignment.agent_id };
    const { warning: _, ...progress } = nextProgress(before, said, now);
    replaceFile(path, json(progress));
    if (before === undefined || differs(before, progress))
      appendFileSync(join(run, RUN_FILES.progressLog), `${JSON.stringify(progress)}\n`);
  };
  const spend = ({ costUsd }: Doing, tokens: number | null): void => {
    const usage = {
      ...spentBefore,
      ...(costUsd === null ? {} : { cost_usd: (spentBefore.cost_usd ?? 0) + costUsd }),
      ...(tokens === null ? {} : { tokens: (spentBefore.tokens ?? 0) + tokens }),
    };
    if (costUsd !== null || tokens !== null) replaceFile(join(run, RUN_FILES.usage), json(usage));
  };
  return {
    tell(doing) {
      say(doing.status, doing.activity, doing.percent);
      spend(doing, null);
    },
    wait: (activity) => say("initializing", activity),
    say,
    end: ({ doing, tokens }) => spend(doing, tokens),
  };
}

const differs = (before: Progress, now: Progress): boolean =>
  before.status !== now.status || before.percent !== now.percent || before.activity !== now.activity;
