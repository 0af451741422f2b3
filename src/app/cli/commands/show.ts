import { join } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import type { Task } from "../../../domain/task.ts";
import { RUN_FILES } from "../../../protocol/run-folder.ts";
import { git } from "../../config/repository.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { inkFor } from "../look/ink.ts";
import { historyIn } from "../look/log.ts";
import { namesIn } from "../look/run-folders.ts";
import { assertRunsThere } from "../look/runs-gone.ts";
import type { Look } from "../look/scene.ts";
import { smallFile } from "../look/small-file.ts";
import { fileOf, taskNamed } from "../look/task.ts";
import { printable } from "../printable.ts";
import { findingLines, showJson, showLines } from "../views/show.ts";
import { whyOf } from "../views/why.ts";
import { lookingAt } from "../work-or-task.ts";

interface Options {
  readonly diff?: boolean;
  readonly plan?: boolean;
  readonly findings?: boolean;
  readonly prompt?: boolean;
}

/** `pawl show TASK`: branch, findings, history; or one of them in full. */
export async function run(ctx: Context, [id = ""]: readonly string[], options: Options): Promise<number> {
  return lookingAt(ctx, id, async (look) => {
    const task = await taskNamed(id, look);
    const part = await partOf(task, look, options);
    if (part !== null) return told(ctx, task, part);
    if (options.findings && !ctx.flags.json) ctx.out(findingLines(task, inkFor(ctx)).join("\n"));
    else await whole(ctx, task, look);
    return EXIT.done;
  });
}

async function whole(ctx: Context, task: Task, { scene, reader, repo }: Look): Promise<void> {
  const { seq } = await reader.load();
  const history = await historyIn(reader, task, seq);
  const file = (await pathOf(task, reader)) ?? (repo === null ? null : await fileOf(task.id, repo));
  if (ctx.flags.json) ctx.json(showJson({ task, history, file }, scene));
  else ctx.out(showLines({ task, history, file }, scene, inkFor(ctx)).join("\n"));
}

/** Where its file was when it was read. */
async function pathOf({ spec }: Task, reader: Look["reader"]): Promise<string | null> {
  try {
    const bytes = await reader.blob(spec);
    const { path } = bytes === null ? {} : (JSON.parse(Buffer.from(bytes).toString("utf8")) as { path?: unknown });
    return typeof path === "string" ? path : null;
  } catch {
    return null;
  }
}

interface Part {
  readonly name: "diff" | "plan" | "prompt";
  readonly text: string;
}

async function partOf(task: Task, look: Look, { diff, plan, prompt }: Options): Promise<Part | null> {
  if (diff) return { name: "diff", text: await diffOf(task, look) };
  if (plan) return { name: "plan", text: (await submittedOf(task, look)) ?? planOf(task, look) };
  return prompt ? { name: "prompt", text: promptOf(task, look) } : null;
}

function told(ctx: Context, task: Task, { name, text }: Part): number {
  if (ctx.flags.json) ctx.json({ ok: true, task: task.id, [name]: text });
  else if (text === "") ctx.say(`${task.id} has changed nothing so far.`);
  else ctx.out(printable(text).replace(/\n$/, ""));
  return EXIT.done;
}

/** What its branch changes: from where it left the base to the head that the task is at. */
async function diffOf({ head, terms }: Task, { repo }: Look): Promise<string> {
  if (repo === null || head === null) return "";
  const range = `${terms.base}...${head}`;
  const said = await git(repo, [
    "-c",
    "color.ui=false",
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--stat",
    "-p",
    range,
  ]);
  if (said.code === 0) return said.stdout;
  throw new PawlError("GIT_FAILED", `git cannot compare ${range}: ${said.stderr.split("\n")[0] ?? ""}`, {
    next: `git fetch, then git diff ${range}`,
  });
}

/** What waits at a gate, whole, and who has to say what; null: it is at none. */
async function submittedOf(task: Task, { reader, scene }: Look): Promise<string | null> {
  const { doing } = task;
  const bytes = doing.kind === "at-gate" ? await reader.blob(doing.submission) : null;
  if (bytes === null) return null;
  const { submissionText } = await import("../submission-text.ts");
  const { waits_for, next } = whyOf(task, scene);
  return `${submissionText(Buffer.from(bytes).toString("utf8"))}\n\nwaits for ${waits_for}\nnext      ${next}\n`;
}

function planOf(task: Task, look: Look): string {
  for (const run of runsOf(task, look)) {
    const outbox = namesIn(join(run, RUN_FILES.outbox)).filter((name) => name.endsWith("-PLAN_SUBMISSION.json"));
    const text =
      smallFile(join(run, "plan.md"), MOST) ??
      (outbox.length > 0 ? smallFile(join(run, RUN_FILES.outbox, outbox.at(-1)!), MOST) : null);
    if (text !== null) return text;
  }
  assertRunsThere(task, look.state);
  throw new PawlError("RUN_UNKNOWN", `no worker of ${task.id} has handed in a plan`, {
    next: `pawl show ${task.id}`,
  });
}

function promptOf(task: Task, look: Look): string {
  for (const run of runsOf(task, look)) {
    const text = smallFile(join(run, RUN_FILES.prompt), MOST);
    if (text !== null) return text;
  }
  assertRunsThere(task, look.state);
  throw new PawlError("RUN_UNKNOWN", `no worker of ${task.id} was given a prompt yet`, {
    next: `pawl why ${task.id}`,
  });
}
const MOST = 16 * 1024 * 1024;

/** Its run folders, the newest first. */
const runsOf = ({ id }: Task, { state }: Look): readonly string[] =>
  [...namesIn(join(state, "runs", id))].reverse().map((name) => join(state, "runs", id, name));
