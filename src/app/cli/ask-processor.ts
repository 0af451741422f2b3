import { PawlError } from "../../domain/errors.ts";
import type { Command } from "../../domain/input.ts";
import type { Instant, TaskId } from "../../domain/names.ts";
import type { Inbox, Posted, Reply } from "../../ports/inbox.ts";
import type { Holder, Reader } from "../../ports/store.ts";
import { git } from "../config/repository.ts";
import type { Context } from "./context.ts";
import { EXIT } from "./exit-code.ts";
import { oneLine } from "./printable.ts";

/** How long an answer is waited for; what was posted stays posted. */
const WAIT_MS = 5_000;
const LOOK_MS = 25;

/** A decision of a person, for the processor of this store. */
export interface Decision {
  readonly task: TaskId | null;
  readonly command: Command;
  /** what is on its way, for the case that nobody answers yet: `the approval of task-003` */
  readonly what: string;
  /** nobody ticks, and the next processor would say this: it is said at once, and nothing is posted */
  readonly refusal?: string | null;
}

/** `pawl … --json` of every decision. `accepted`: null where nobody has answered yet; it is taken at the next tick. */
export interface DecisionJson {
  readonly ok: boolean;
  readonly id: string;
  readonly task: TaskId | null;
  readonly command: Command;
  readonly by: string;
  readonly accepted: boolean | null;
  readonly reply: string;
}

/**
 * Posts a decision, durable when this goes on, and waits for the tick that answers it. Exit code: 0 accepted, or noted
 * (nobody ticks, or the processor is busy for longer than 5 s); 1 refused, with what would fit.
 */
export async function askProcessor(
  ctx: Context,
  reader: Reader & Inbox,
  decision: Decision & { readonly by: string },
): Promise<number> {
  const { uuidv7 } = await import("uuidv7");
  const { task, command, by } = decision;
  const id = uuidv7();
  const { reply, holder } = decision.refusal
    ? { reply: { accepted: false, reply: decision.refusal }, holder: null }
    : await posted({ id, by, task, command }, reader);
  const text = reply === null ? notedText(decision, holder) : replyText(reply, holder);
  const accepted = reply?.accepted ?? null;
  if (ctx.flags.json)
    ctx.json({ ok: accepted !== false, id, task, command, by, accepted, reply: text } satisfies DecisionJson);
  else if (accepted === false) ctx.fail([new PawlError("REFUSED", text)]);
  else ctx.out(text);
  return accepted === false ? EXIT.no : EXIT.done;
}

async function posted(request: Posted, reader: Reader & Inbox): ReturnType<typeof answerTo> {
  await reader.post({ ...request, at: Date.now() as Instant });
  return answerTo(request.id, reader);
}

async function answerTo(id: string, reader: Reader & Inbox): Promise<{ reply: Reply | null; holder: Holder | null }> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    // The holder first: one that ends after its last commit has answered by then.
    const holder = await reader.holder();
    const reply = await reader.reply(id);
    if (reply !== null || !holder?.alive || performance.now() > end) return { reply, holder };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const replyText = ({ reply, accepted }: Reply, holder: Holder | null): string =>
  oneLine(reply) + (accepted && holder?.alive ? ` (taken by pid ${holder.pid})` : "");

const notedText = ({ what }: Decision, holder: Holder | null): string =>
  holder?.alive
    ? `${what} is noted; pid ${holder.pid} has not answered within ${WAIT_MS / 1_000}s, and takes it at its next tick`
    : `${what} is noted for the next pawl run; nobody ticks just now`;

/** Who decides: --as, git's user.email here, else the name that this machine knows. */
export async function decider(as: string | undefined, repo: string | null): Promise<string> {
  if (as !== undefined) {
    if (oneLine(as) === "") throw new PawlError("USAGE", "--as is empty", { next: "name yourself: --as NAME" });
    return oneLine(as);
  }
  const email = repo === null ? "" : (await git(repo, ["config", "user.email"])).stdout;
  if (email !== "") return oneLine(email);
  const { userInfo } = await import("node:os");
  return userInfo().username;
}
