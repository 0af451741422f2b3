import { resolve } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import type { CommandOrder, CommandResult, OutputPart, Sandbox } from "../../../ports/commands.ts";
import type { CommandLine } from "../../../ports/runtime.ts";
import { barredBy } from "../../../workspace/commands/permitted.ts";
import { judge } from "../../../workspace/commands/rules.ts";
import type { Scope } from "../../../workspace/edit/locate.ts";
import type { ScopeReport } from "../../../workspace/scope/guard.ts";
import { checkoutSandbox, openCommands } from "../../commands.ts";
import { durationOf } from "../../config/units.ts";
import { narrowed, scopeOf } from "../../scope.ts";
import { exitCodeFor } from "../command-exit-code.ts";
import type { Context } from "../context.ts";
import { confirmed } from "../decide.ts";
import { type ExecRequest, readRequest } from "../exec-request.ts";
import { onStopOrder } from "../stop-signals.ts";
import { scopeDocument, scopeNotes } from "../views/scope.ts";
import { withinScope } from "../within-scope.ts";

interface Options {
  readonly request?: string;
  readonly timeout?: string;
  readonly idle?: string;
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly sandbox?: string;
  readonly network?: boolean;
  readonly log?: string;
  readonly scope?: readonly string[];
}

/**
 * `pawl exec -- CMD…`: one word is a text for the shell, several are a program and what it is given. Its output comes as
 * it is written, with --json the result at the end. The exit code is the command's: 124 where its time ran out, 126 and
 * 127 where it cannot be started, 128 and a signal's number where that ended it.
 */
export async function run(ctx: Context, words: readonly string[], options: Options): Promise<number> {
  const request = options.request === undefined ? fromWords(words, options) : await readRequest(ctx, options.request);
  await refuseByRules(ctx, request.cmd, options);
  const cwd = resolve(ctx.cwd, options.cwd ?? ".", request.cwd ?? ".");
  const scope = scopeFor(request, options);
  const commands = openCommands(await ctx.repo().catch(none), ctx.env);
  const sandbox = await sandboxOf(ctx, cwd, options);
  const stop = new AbortController();
  const listening = onStopOrder(() => stop.abort());
  const order: CommandOrder = {
    cmd: request.cmd,
    cwd,
    env: request.env,
    ...timesOf(request, options),
    ...(options.log === undefined ? {} : { logFile: resolve(ctx.cwd, options.log) }),
    sandbox,
    signal: stop.signal,
    ...(ctx.flags.json ? {} : { onOutput: ({ stream, bytes }: OutputPart) => ctx.raw(stream, bytes) }),
  };
  try {
    const { value: result, report } = await withinScope(ctx, scope, () => commands.run(order));
    tell(ctx, result, report);
    return exitCodeFor(result);
  } finally {
    listening.off();
  }
}

/** What flags and request both allow; null: everything. */
function scopeFor(request: ExecRequest, { scope = [] }: Options): Scope | null {
  if (scope.length + request.scope.length === 0) return null;
  return narrowed(scopeOf(scope), scopeOf(request.scope, "scope"));
}

const none = (error: unknown): null => {
  if (error instanceof PawlError && /^(?:REPO|GIT)_/.test(error.code)) return null;
  throw error;
};

function fromWords(words: readonly string[], { env = [] }: Options): ExecRequest {
  if (words.length === 0) throw usage("no command was named", "pawl exec -- npm test");
  return { cmd: words.length === 1 ? words[0]! : words, env: Object.fromEntries(env.map(pair)), scope: [] };
}

function pair(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw usage(`--env takes NAME=VALUE, and is ${JSON.stringify(text)}`, "pawl exec --env CI=1 -- npm test");
  return [text.slice(0, at), text.slice(at + 1)];
}

async function refuseByRules(ctx: Context, cmd: CommandLine, { allow = [], deny = [] }: Options): Promise<void> {
  const judgement = judge(cmd, { allow: allow.length === 0 ? null : allow, deny });
  if (judgement.kind === "run") return;
  if (judgement.kind === "ask" && (ctx.flags.yes || (ctx.isTerminal && !ctx.flags.json))) {
    if (await confirmed(ctx, [`It cannot be told whether this command is allowed: ${judgement.why}.`])) return;
  }
  throw barredBy(judgement);
}

function timesOf(request: ExecRequest, options: Options): Pick<CommandOrder, "timeoutMs" | "idleMs"> {
  const timeoutMs = request.timeoutMs ?? msOf("--timeout", options.timeout);
  const idleMs = request.idleMs ?? msOf("--idle", options.idle);
  return { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(idleMs === undefined ? {} : { idleMs }) };
}

function msOf(flag: string, text: string | undefined): number | undefined {
  const ms = text === undefined ? undefined : durationOf(text);
  if (ms === null)
    throw usage(`${flag} takes a time like 90s or 10m, and is "${text}"`, `pawl exec ${flag} 2m -- npm test`);
  return ms;
}

async function sandboxOf(
  ctx: Context,
  cwd: string,
  { sandbox = "off", network = true }: Options,
): Promise<Sandbox | null> {
  if (!["auto", "require", "off"].includes(sandbox))
    throw usage(`--sandbox is auto, require or off, and not "${sandbox}"`, "pawl exec --sandbox auto -- npm test");
  if (sandbox === "off" && network) return null;
  // who asks for no network wants it held to that
  const mode = sandbox === "auto" ? "auto" : "require";
  return checkoutSandbox(cwd, { mode, network, env: ctx.env });
}

function tell(ctx: Context, result: CommandResult, report: ScopeReport | null): void {
  if (ctx.flags.json)
    return ctx.json({ ok: result.success, ...result, ...(report === null ? {} : { scope: scopeDocument(report) }) });
  for (const note of report === null ? [] : scopeNotes(report)) ctx.say(note);
  if (result.sandbox?.startsWith("none"))
    ctx.say(`note: there was no sandbox: ${result.sandbox.slice("none: ".length)}`);
  if (result.why !== undefined)
    ctx.say(`note: the command ${result.ending === "spawn-failed" ? "cannot be started: " : ""}${result.why}`);
  if (result.left_behind) ctx.say(`note: ${result.left_behind} of its processes lived on, and were ended`);
  if (result.log_cut) ctx.say(`note: ${result.log_cut} bytes of its output are not in ${result.log}`);
}

const usage = (what: string, next: string): PawlError => new PawlError("USAGE", what, { next });
