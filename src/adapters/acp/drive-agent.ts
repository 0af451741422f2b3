import type { ClientConnection, PromptRequest, PromptResponse } from "@agentclientprotocol/sdk";
import type { Clock } from "../../ports/clock.ts";
import type { Failure } from "../../protocol/failure.ts";
import type { AgentFiles } from "./agent-files.ts";
import { type AgentProcess, startAgent, within } from "./agent-process.ts";
import { type AskLeave, clientApp, type Desk, takeUpdate } from "./client.ts";
import type { Doing } from "./doing.ts";
import { failureOf } from "./error-words.ts";
import { type Following, follow } from "./follow.ts";
import { messageStream } from "./message-stream.ts";
import { type OpenSession, openSession, type SessionWish } from "./open-session.ts";
import type { Permissions, Wish } from "./permission.ts";
import { markOf, type SessionRecord } from "./session-record.ts";
import type { Terminals } from "./terminals.ts";
import type { Update } from "./update.ts";
import { tokensIn } from "./usage.ts";

export interface AgentOrder extends SessionWish {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly permissions: Permissions;
  /** what is to be said to it, and its key: said once, whatever crashes */
  readonly words: (session: OpenSession) => { readonly key: string; readonly text: string };
}

export interface AgentParts {
  readonly files: AgentFiles;
  readonly terminals: Terminals;
  readonly clock: Clock;
  /** a line of the log */
  readonly say: (line: string) => void;
  /** what is to be seen of its work; at most once a second */
  readonly tell: (doing: Doing) => void;
  /** durable when it returns */
  readonly keep: (record: SessionRecord) => void;
  /** for what only a person may allow; absent: nobody is there */
  readonly ask?: AskLeave;
}

/** How an agent's leg ended. `doing`: the last of what was seen of it. */
export type AgentEnd = {
  readonly doing: Doing /** of this turn; null: it does not say */;
  readonly tokens: number | null;
} & (
  | {
      readonly how: "turn-ended";
      /** end_turn, max_tokens, max_turn_requests, refusal, or a word of its own */
      readonly stop: string;
    }
  /** it wants what a person has to allow */
  | { readonly how: "asks"; readonly wish: Wish }
  | { readonly how: "failed"; readonly failure: Failure }
  | { readonly how: "stopped" }
);

/**
 * One turn of an agent, from its start until it has gone: session, prompt, all that it does meanwhile. What is sent is
 * kept before it is sent (`keep`), so that who comes after a crash does not send it again. The signal cancels the turn,
 * and then ends the process within two seconds. Throws nothing for what the agent does.
 */
export async function driveAgent(order: AgentOrder, parts: AgentParts, signal: AbortSignal): Promise<AgentEnd> {
  const agent = await startAgent({ ...order, clock: parts.clock });
  const following = follow(parts);
  const nothing = { doing: following.doing(), tokens: null };
  if (typeof agent === "string")
    return { ...nothing, how: "failed", failure: { kind: "not-started", why: agent, until: null } };
  const over = new AbortController();
  const talk = connect(agent, order, { ...parts, following, over: AbortSignal.any([signal, over.signal]) });
  try {
    const end = await turn(talk, order, { ...parts, agent, signal });
    await leave(agent, talk, { ...parts, signal });
    return { ...end, doing: following.doing() };
  } finally {
    over.abort();
    following.flush();
    talk.connection.close();
    await Promise.all([parts.terminals.close(), agent.end(0)]);
  }
}

interface Talk {
  readonly connection: ClientConnection;
  readonly named: (session: string) => void;
  readonly replay: { begin(): void; end(): readonly Update[] };
  /** it asked for what a person has to allow */
  readonly asked: { readonly signal: AbortSignal; wish: Wish | null };
  readonly following: Following;
}

function connect(
  agent: AgentProcess,
  order: AgentOrder,
  on: AgentParts & { readonly following: Following /** it has ended, or is to */; readonly over: AbortSignal },
): Talk {
  const { following, say, over } = on;
  let session: string | null = null;
  let replayed: Update[] | null = null;
  const stop = new AbortController();
  const asked: { readonly signal: AbortSignal; wish: Wish | null } = { signal: stop.signal, wish: null };
  const desk: Desk = {
    ...on,
    permissions: order.permissions,
    session: () => session,
    // what was said before is no work of this leg
    update: (update) => (replayed === null ? following.add(update) : void replayed.push(shortened(update))),
    kindOf: (call) => following.doing().open.get(call)?.does ?? null,
    ask: (wish) => on.ask?.(wish, over) ?? Promise.resolve(null),
    asked: (wish) => {
      asked.wish ??= wish;
      stop.abort();
    },
  };
  const stream = messageStream({
    from: agent.stdout,
    to: agent.stdin,
    noise: (line) => say(`stdout ${line}`),
    updates: (params) => takeUpdate(params, desk),
  });
  return {
    connection: clientApp(desk).connect(stream),
    named: (id) => {
      session = id;
    },
    replay: {
      begin: () => {
        replayed = [];
      },
      end: () => {
        const told = replayed ?? [];
        replayed = null;
        return told;
      },
    },
    asked,
    following,
  };
}

/** A session may be long: of what it replays only the end of our own messages is looked at. */
const shortened = (update: Update): Update =>
  update.kind === "message" || update.kind === "thought"
    ? { ...update, text: "" }
    : update.kind === "prompt"
      ? { ...update, text: update.text.slice(-4_000) }
      : update;

type End = Pick<AgentEnd, "tokens"> &
  (
    | { how: "turn-ended"; stop: string }
    | { how: "asks"; wish: Wish }
    | { how: "failed"; failure: Failure }
    | { how: "stopped" }
  );

async function turn(
  talk: Talk,
  order: AgentOrder,
  on: AgentParts & { readonly agent: AgentProcess; readonly signal: AbortSignal },
): Promise<End> {
  const { clock, say, keep, signal, agent: process } = on;
  const { agent } = talk.connection;
  const stopped = aborted(signal);
  const opening = openSession(agent, order, { clock, say, replay: talk.replay, named: talk.named });
  const opened = await Promise.race([opening, stopped.then(() => null)]);
  if (opened === null) return { how: "stopped", tokens: null };
  if ("kind" in opened) return { how: "failed", failure: await withEnd(opened, process, clock), tokens: null };
  const { key, text } = order.words(opened);
  say(`agent  ${opened.agent}, session ${opened.id}${opened.isLoaded ? " of before" : ""}`);
  const record = recordOf(order, opened, talk.following.doing().plan);
  keep({ ...record, sent: [...record.sent, key] });
  const prompt: PromptRequest["prompt"] = [{ type: "text", text: `${text.trimEnd()}\n\n${markOf(key)}\n` }];
  const answer: Promise<PromptResponse> = agent.request("session/prompt", { sessionId: opened.id, prompt });
  answer.catch(() => {});
  const ending = new AbortController();
  const cut = Promise.race([stopped, aborted(talk.asked.signal), aborted(ending.signal)]).then(() => null);
  try {
    const response = await Promise.race([answer, cut]);
    if (response !== null) return { how: "turn-ended", stop: String(response.stopReason), tokens: tokensIn(response) };
    await cancelled(agent, opened.id, { answer, clock });
    return talk.asked.wish && !signal.aborted
      ? { how: "asks", wish: talk.asked.wish, tokens: null }
      : { how: "stopped", tokens: null };
  } catch (error) {
    const failure = failureOf(error, clock.read().wall);
    return { how: "failed", failure: await withEnd(failure, process, clock), tokens: null };
  } finally {
    ending.abort();
    const { plan } = talk.following.doing();
    if (plan.length > 0) keep({ ...record, sent: [...record.sent, key], plan: [...plan] });
  }
}

const recordOf = (order: AgentOrder, { id, isLoaded }: OpenSession, plan: Doing["plan"]): SessionRecord => ({
  version: 1,
  session: id,
  command: order.command,
  cwd: order.cwd,
  sent: isLoaded ? (order.before?.sent ?? []) : [],
  plan: [...plan],
});

/** A connection that closed says nothing; how the process ended does. */
async function withEnd(failure: Failure, { gone }: AgentProcess, clock: Clock): Promise<Failure> {
  if (failure.kind !== "crash" && failure.kind !== "not-started") return failure;
  const words = (await within(gone, 300, clock)) ? await gone : null;
  return words === null ? failure : { ...failure, why: `it ended (${words}) while it was asked: ${failure.why}` };
}

/** Long enough for who saves what it has, and within what a driver waits before it ends the group. */
const CANCEL_MS = 1_000;

async function cancelled(
  agent: ClientConnection["agent"],
  session: string,
  { answer, clock }: { readonly answer: Promise<unknown>; readonly clock: Clock },
): Promise<void> {
  await agent.notify("session/cancel", { sessionId: session }).catch(() => {});
  await within(
    answer.catch(() => {}),
    CANCEL_MS,
    clock,
  );
}

/** What it still says is taken: its input is closed, and its output read to its end. */
async function leave(
  agent: AgentProcess,
  { connection }: Talk,
  { terminals, clock, signal }: AgentParts & { readonly signal: AbortSignal },
): Promise<void> {
  await Promise.all([terminals.close(), agent.end(signal.aborted ? 100 : 1_000)]);
  await within(connection.closed, 500, clock);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
