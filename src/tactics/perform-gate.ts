import type { Answer } from "../protocol/answer.ts";
import { type Submission, submissionSchema } from "../protocol/message.ts";
import { messageName } from "../protocol/message-name.ts";
import { RUN_FILES } from "../protocol/run-folder.ts";
import type { Action } from "./action.ts";
import { readAnswer } from "./orders.ts";
import { type Doing, updateTree } from "./perform.ts";
import { planText } from "./plan-text.ts";
import { reportText } from "./report-text.ts";
import { submissionOf } from "./submission.ts";
import type { WorkerEnd } from "./worker.ts";

/** Puts a plan or a report into the outbox. What lies there already under its number is the one that was sent. */
export async function performSubmit(what: Submission["message_type"], { desk, parts }: Doing): Promise<null> {
  const state = desk.state!;
  const seq = state.session.seq + 1;
  const name = `${RUN_FILES.outbox}/${messageName(seq, what)}`;
  const changes = what === "COMPLETION_REPORT" ? await parts.hands.changes(state.base) : [];
  const made = submissionOf(what, state, { now: new Date(desk.now).toISOString(), changes });
  parts.folder.create(name, `${JSON.stringify(made, null, 2)}\n`);
  const message = submissionSchema.parse(JSON.parse(parts.folder.read(name)!));
  const isPlan = message.message_type === "PLAN_SUBMISSION";
  parts.folder.replace(isPlan ? "plan.md" : "report.md", isPlan ? planText(message) : reportText(message));
  await desk.note({ r: "submitted", seq, message }, { durable: true });
  return null;
}

/** Takes the owner's answer out of the inbox, or asks the owner; without one the worker is parked. */
export async function performAwait(seq: number, { desk, parts, signal }: Doing): Promise<WorkerEnd | null> {
  const { session, plan, report, assignment } = desk.state!;
  const submission = session.status === "awaiting_go" ? plan! : report!;
  const said =
    inInbox(parts.folder, seq) ??
    (await parts.owner.answer(submission, { assignment, task: assignment.task_id, signal }));
  if (signal.aborted) return { how: "stopped" };
  if (said === null) return { how: "parked", seq };
  const answer = await ofThisHead(said, submission, parts);
  const name = `${RUN_FILES.inbox}/${messageName(seq, answer.message_type)}`;
  parts.folder.create(name, `${JSON.stringify(answer, null, 2)}\n`);
  await desk.note({ r: "answered", seq, answer }, { durable: true });
  return null;
}

/** NEXT is said of the commit that was reported, and of no other: where somebody moved the branch since, a person has to look. */
async function ofThisHead(answer: Answer, submission: Submission, { hands }: Doing["parts"]): Promise<Answer> {
  if (answer.message_type !== "NEXT" || submission.message_type !== "COMPLETION_REPORT") return answer;
  const head = await hands.head();
  if (submission.head === null || head === submission.head) return answer;
  const reason = `NEXT was said of commit ${short(submission.head)}, and the branch is at ${short(head)} now: somebody else moved it`;
  const { agent_id, task_id, in_reply_to } = answer;
  return { message_type: "BLOCKED", agent_id, task_id, in_reply_to, by: "pawl", reason, sent_at: answer.sent_at };
}
const short = (commit: string | null): string => commit?.slice(0, 12) ?? "no commit";

function inInbox(folder: Doing["parts"]["folder"], seq: number): Answer | null {
  const start = `${String(seq).padStart(3, "0")}-`;
  const names = folder.list(RUN_FILES.inbox).filter((one) => one.startsWith(start));
  const answers = [...names].sort().flatMap((name) => readAnswer(folder, name) ?? []);
  return answers.find(({ message_type }) => message_type !== "EXTEND" && message_type !== "END") ?? null;
}

/** The verdict is on the disk before the journal says that it was given. */
export async function performFinish(
  { verdict, detail }: Extract<Action, { do: "finish" }>,
  { desk, parts }: Doing,
): Promise<null> {
  const { spent, commits } = desk.state!;
  if (commits.length > 0) await keepTree(desk, parts);
  const usage = { tokens: spent.tokens, ...(spent.unpriced > 0 ? {} : { cost_usd: spent.microUsd / 1e6 }) };
  const said = {
    version: 1,
    leg: parts.leg,
    verdict,
    detail,
    findings: [],
    usage,
    at: new Date(desk.now).toISOString(),
  };
  parts.folder.replace(RUN_FILES.verdict, `${JSON.stringify(said, null, 2)}\n`);
  await desk.note({ r: "finished", verdict, detail }, { durable: true });
  return null;
}

/** The tree knows of its last commit only after it: it is brought up to date, and committed by itself where it is versioned. */
async function keepTree(desk: Doing["desk"], parts: Doing["parts"]): Promise<void> {
  updateTree(desk, parts);
  const { committed } = parts.tree;
  if (committed === null) return;
  const { assignment, head } = desk.state!;
  await parts.hands.commit({ message: `${assignment.task_id}: task tree`, paths: [committed], from: head, push: true });
}
