import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Answer as OwnersAnswer } from "../../protocol/answer.ts";
import { PERCENT, type WorkerStatus } from "../../protocol/progress.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import { noteProgress } from "../cli/commands/progress.ts";
import { linesOf } from "../cli/commands/submit.ts";
import { sayVerdict } from "../cli/commands/verdict.ts";
import type { WorkerFolder } from "../cli/worker-folder.ts";
import { type HandedIn, handIn } from "../worker/hand-in.ts";
import type { Answer, Behaviour, HandTool } from "./tool.ts";

/** Where a worker's tools work. */
export interface WorkerDesk {
  readonly worker: WorkerFolder;
  readonly cwd: string;
  /** how long an owner's answer is waited for */
  readonly waitMs: number;
  close(): Promise<void>;
}

const WRITES: Behaviour = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const assignment: HandTool<Record<string, never>, WorkerDesk> = {
  name: "assignment",
  title: "Read the assignment",
  description:
    "All that is known of your task, as JSON: criteria, the files that you may change, tests, time, what was found before.",
  input: z.strictObject({}) as z.ZodType<Record<string, never>>,
  behaviour: { ...WRITES, readOnlyHint: true },
  async run({ worker }) {
    const text = readFileSync(join(worker.run, RUN_FILES.assignment), "utf8");
    return { text, document: { assignment: JSON.parse(text) }, isError: false };
  },
};

const progressInput = z.strictObject({
  status: z.enum(Object.keys(PERCENT) as [WorkerStatus, ...WorkerStatus[]]).exactOptional(),
  percent: z.number().min(0).max(100).exactOptional().describe("within the range of its status"),
  activity: z.string().exactOptional().describe("what is being done, in a few words"),
});
const progress: HandTool<z.infer<typeof progressInput>, WorkerDesk> = {
  name: "progress",
  title: "Say how far the work is",
  description: "Tells those who watch how far you are. What you leave out stays as it was.",
  input: progressInput,
  behaviour: WRITES,
  async run({ worker }, { status, percent, activity }) {
    const noted = noteProgress(worker, { status, percent, activity });
    return { text: `${noted.status} ${noted.percent} %`, document: { ok: true, ...noted }, isError: false };
  },
};

const verdictInput = z.strictObject({
  verdict: z.enum(["pass", "fail", "no-change", "blocked"]),
  detail: z.string().exactOptional().describe("required unless it is pass: the next one to work on the task reads it"),
  findings: z.array(z.string()).exactOptional().describe('"file:line: text", or only the text'),
  complete: z.boolean().exactOptional().describe("these findings are all there are"),
});
const verdict: HandTool<z.infer<typeof verdictInput>, WorkerDesk> = {
  name: "verdict",
  title: "End the work",
  description:
    "Ends the work: pass (done, tested), fail (with what stopped you), no-change (nothing has to change, and why), blocked " +
    "(only a person can go on). The last one counts. End your turn after it.",
  input: verdictInput,
  behaviour: WRITES,
  async run({ worker }, { verdict: word, detail, findings, complete }) {
    const said = sayVerdict(worker, word, {
      ...(detail === undefined ? {} : { message: detail }),
      ...(findings === undefined ? {} : { finding: findings }),
      ...(complete === undefined ? {} : { complete }),
    });
    return { text: `verdict ${said.verdict}; end your turn now`, document: { ok: true, ...said }, isError: false };
  },
};

const planInput = z.looseObject({
  plan: z
    .looseObject({
      approach: z.string(),
      ac_mapping: z.array(
        z.looseObject({ ac: z.string(), implementation: z.string(), file: z.string(), test: z.string() }),
      ),
      files: z.array(z.looseObject({ path: z.string(), changes: z.array(z.string()).exactOptional() })),
      tests: z.array(z.looseObject({ name: z.string() })),
    })
    .describe("what you mean to do; each acceptance criterion has a row in ac_mapping"),
  questions: z.array(z.string()).exactOptional(),
  potential_issues: z.array(z.string()).exactOptional(),
});
const submitPlan: HandTool<z.infer<typeof planInput>, WorkerDesk> = {
  name: "submit_plan",
  title: "Ask the owner about the plan",
  description:
    "Hands in your plan and waits a moment for the answer: GO (carry it out), FEEDBACK (change it), BLOCKED.",
  input: planInput,
  behaviour: WRITES,
  run: (desk, input) => submitted(desk, input, "PLAN_SUBMISSION"),
};

const reportInput = z.looseObject({
  report: z
    .looseObject({
      ac_verification: z.array(
        z.looseObject({
          ac: z.string(),
          status: z.enum(["PASS", "FAIL"]),
          evidence: z.array(z.looseObject({ file: z.string(), line: z.number() })),
        }),
      ),
      test_results: z.array(z.looseObject({ test: z.string(), result: z.enum(["PASS", "FAIL"]) })),
      files_changed: z.array(z.looseObject({ path: z.string(), change: z.enum(["created", "modified", "deleted"]) })),
    })
    .describe("each acceptance criterion with the lines that show it; commit before you report"),
  summary: z.string().exactOptional(),
});
const submitReport: HandTool<z.infer<typeof reportInput>, WorkerDesk> = {
  name: "submit_report",
  title: "Ask the owner about the work",
  description:
    "Hands in your report and waits a moment for the answer: NEXT (end with the verdict pass), FIX (put it right), BLOCKED.",
  input: reportInput,
  behaviour: WRITES,
  run: (desk, input) => submitted(desk, input, "COMPLETION_REPORT"),
};

async function submitted(
  { worker, cwd, waitMs }: WorkerDesk,
  said: object,
  kind: "PLAN_SUBMISSION" | "COMPLETION_REPORT",
): Promise<Answer> {
  const { seq, answer, ended } = await handIn(said, { kind, name: "this", worker, cwd, waitMs });
  return { text: textOf(answer, ended), document: { ok: true, seq, answer, ended }, isError: false };
}

function textOf(answer: OwnersAnswer | null, ended: HandedIn["ended"]): string {
  if (answer === null)
    return "It is handed in. The owner has not answered yet: end your turn now, and you will be called again with the answer.";
  const lines = [answer.message_type, ...linesOf(answer)];
  return [...lines, ...(ended === null ? [] : [`the work ends here: ${ended.reason}; end your turn now`])].join("\n");
}

// biome-ignore lint/suspicious/noExplicitAny: each tool knows its own input, and checks it
export const WORKER_TOOLS: readonly HandTool<any, WorkerDesk>[] = [
  assignment,
  progress,
  submitPlan,
  submitReport,
  verdict,
];
