import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CommandOrder, CommandResult, Commands, Sandbox } from "../../ports/commands.ts";
import type { Processes } from "../../ports/system.ts";
import { commandEnvironment, MARK_PREFIX } from "../../workspace/commands/environment.ts";
import { bounded } from "../../workspace/commands/order.ts";
import { type Redactor, redactor } from "../../workspace/commands/redact.ts";
import { secretsOf } from "../../workspace/commands/secrets.ts";
import { type Held, holdIn } from "./bubblewrap.ts";
import { untilBound } from "./command-bounds.ts";
import { type Family, familyOf } from "./command-family.ts";
import { type CommandOutput, commandOutput, type Told } from "./command-output.ts";
import { startCommand } from "./command-start.ts";

export interface CommandParts {
  readonly processes: Processes;
  readonly clock: Clock;
  /** the environment that names are looked up in, and whose secrets are taken out */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** names of variables that commands find */
  readonly names: readonly string[];
}

/** Runs commands on this machine. */
export function systemCommands(parts: CommandParts): Commands {
  const usual = redactor(secretsOf(parts.env));
  const redactorFor = ({ env = {} }: CommandOrder): Redactor =>
    secretsOf(env).length === 0 ? usual : redactor(secretsOf({ ...parts.env, ...env }));
  return {
    async run(order) {
      const bounds = bounded(order);
      const started = performance.now();
      const held = order.sandbox ? await holdIn(order.sandbox) : null;
      const output = commandOutput(order, redactorFor(order));
      try {
        const { end, left } = await run(order, { ...parts, bounds, output, sandbox: held?.sandbox ?? null });
        return { ...told(end, left), ...output.finish(), ...timeAndHold(started, held) };
      } finally {
        output.finish();
      }
    },
  };
}

type Ending = Pick<CommandResult, "ending" | "exit_code"> & { readonly why: string | null };

const GRACE_MS = 2_000;
const DRAIN_MS = 2_000;
/** A process that waits for a broken disk cannot be killed: it is not waited for for ever. */
const UNKILLABLE_MS = 5_000;

interface Run extends CommandParts {
  readonly bounds: { readonly timeoutMs: Ms; readonly idleMs: Ms };
  readonly output: CommandOutput;
  readonly sandbox: Sandbox | null;
}

async function run(order: CommandOrder, of: Run): Promise<{ readonly end: Ending; readonly left: Left }> {
  const { signal, cmd, cwd } = order;
  if (signal?.aborted) return never("cancelled", "was cancelled before it began");
  const mark = { name: MARK_PREFIX + randomBytes(8).toString("hex"), value: "1" };
  const env = commandEnvironment({ ours: of.env, names: of.names, given: order.env ?? {} });
  const begun = await startCommand({ cmd, cwd, env: { ...env, [mark.name]: mark.value }, sandbox: of.sandbox });
  if (begun.kind === "failed") return never("spawn-failed", begun.why);
  try {
    return await toItsEnd(begun.child, { ...of, family: familyOf(begun.child, mark, of), signal });
  } finally {
    begun.release();
  }
}

const never = (ending: Ending["ending"], why: string) => ({ end: { ending, exit_code: -1, why }, left: NONE });

interface Left {
  readonly pipesHeld: boolean;
  readonly count: number;
  readonly isAlone: boolean;
}
const NONE: Left = { pipesHeld: false, count: 0, isAlone: true };

interface Course extends Run {
  readonly family: Family;
  readonly signal: AbortSignal | undefined;
}

/** From its start until nothing of it lives. */
async function toItsEnd(child: ChildProcess, course: Course): Promise<{ end: Ending; left: Left }> {
  const { family, output } = course;
  const exited = new Promise<Ending>((resolve) => child.once("exit", (code, signal) => resolve(ownEnd(code, signal))));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  output.read("stdout", child.stdout!);
  output.read("stderr", child.stderr!);
  const bound = untilBound(course);
  const end = await Promise.race([exited, bound.reached]);
  bound.close();
  const isStopped = "isReason" in end;
  if (isStopped) await stop(family, exited);
  // a child that it left may still have something to say; one that is ended with it may not
  const pipesHeld = !isStopped && !(await drained(closed, course));
  const { signalled, isAlone } = await family.endAll();
  await (isStopped ? within(closed, DRAIN_MS) : drained(closed, course));
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  return { end, left: { pipesHeld, count: isStopped ? 0 : signalled, isAlone } };
}

const ownEnd = (code: number | null, signal: NodeJS.Signals | null): Ending =>
  code === null
    ? { ending: "killed", exit_code: -1, why: `was ended by ${signal}` }
    : { ending: "exit", exit_code: code, why: null };

/** Asks the whole group, gives it time to write down where it stands, then kills. */
async function stop(family: Family, exited: Promise<unknown>): Promise<void> {
  await family.look();
  family.signal("SIGTERM");
  // one that was stopped hears nothing until it goes on
  family.signal("SIGCONT");
  if (await within(exited, GRACE_MS)) return;
  await family.look();
  family.signal("SIGKILL");
  await within(exited, UNKILLABLE_MS);
}

function told(end: Ending, { pipesHeld, count, isAlone }: Left): Omit<CommandResult, keyof Told | "duration_ms"> {
  const why = [end.why, isAlone ? null : "something that it started cannot be ended"].filter((one) => one !== null);
  return {
    success: end.ending === "exit" && end.exit_code === 0,
    exit_code: end.exit_code,
    ending: end.ending,
    ...(why.length > 0 ? { why: why.join("; ") } : {}),
    ...(pipesHeld ? { pipes_held: true } : {}),
    ...(count > 0 ? { left_behind: count } : {}),
  };
}

const timeAndHold = (started: number, held: Held | null): Pick<CommandResult, "duration_ms" | "sandbox"> => ({
  duration_ms: Math.round(performance.now() - started),
  ...(held === null ? {} : { sandbox: held.word }),
});

/** Whether the output came to its end within the time for that; the time that the reader takes does not count. */
async function drained(closed: Promise<void>, { output, signal }: Course): Promise<boolean> {
  const from = performance.now() - output.pausedMs();
  for (;;) {
    const left = DRAIN_MS - (performance.now() - output.pausedMs() - from);
    if (left <= 0 || signal?.aborted) return false;
    if (await within(closed, left)) return true;
  }
}

/** Whether `fact` came within that time. */
async function within(fact: Promise<unknown>, ms: Ms): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([fact.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
