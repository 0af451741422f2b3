import {
  type ClientContext,
  type InitializeRequest,
  type McpServer,
  methods,
  RequestError,
} from "@agentclientprotocol/sdk";
import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Failure } from "../../protocol/failure.ts";
import { CAPABILITIES } from "./client.ts";
import { failureOf } from "./error-words.ts";
import { marksIn, type SessionRecord } from "./session-record.ts";
import { objectOf, type Update } from "./update.ts";

export interface SessionWish {
  /** absolute */
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
  /** an id of the agent's own; null: the one that it begins with */
  readonly mode: string | null;
  readonly model: string | null;
  /** of an earlier leg or run that was cut off; null: there is none */
  readonly before: SessionRecord | null;
  readonly version: string;
}

/** A session that can be talked to. */
export interface OpenSession {
  readonly id: string;
  readonly agent: string;
  /** it is an earlier one, with all that was said in it */
  readonly isLoaded: boolean;
  /** keys of our messages that it has */
  readonly heard: ReadonlySet<string>;
  /** something was said in it, though perhaps not by that key */
  readonly hasTurns: boolean;
  /** US dollars that it had cost before, as far as it says */
  readonly spentUsd: number;
}

/** What a session that is being loaded tells of what was said in it. */
export interface Replay {
  begin(): void;
  /** what was told since then */
  end(): readonly Update[];
}

const ANSWER_MS: Ms = 120_000;

/** Gets to know the agent and opens a session: the earlier one where it still has that, else a new one. */
export async function openSession(
  agent: ClientContext,
  wish: SessionWish,
  on: {
    readonly clock: Clock;
    readonly replay: Replay;
    readonly say: (line: string) => void;
    readonly named: (id: string) => void;
  },
): Promise<OpenSession | Failure> {
  const ask = asker(on.clock);
  try {
    const clientInfo = { name: "pawl", title: "Pawl", version: wish.version };
    const params: InitializeRequest = { protocolVersion: 1, clientCapabilities: CAPABILITIES, clientInfo };
    const known = await ask("initialize", agent.request(methods.agent.initialize, params));
    if (known.protocolVersion !== 1) return setup(`it speaks version ${known.protocolVersion} of ACP, and not 1`);
    const { name, title, version } = known.agentInfo ?? {};
    const words = [title ?? name ?? "an agent without a name", version].filter(Boolean).join(" ");
    const canLoad = known.agentCapabilities?.loadSession === true;
    const loaded = wish.before !== null && canLoad ? await load(agent, wish.before, { wish, ask, ...on }) : null;
    if (wish.before !== null && loaded === null)
      on.say(
        `session ${wish.before.session} of before ${canLoad ? "is not there any more" : "cannot be loaded by it"}`,
      );
    const opened = loaded ?? (await begin(agent, wish, ask));
    on.named(opened.id);
    const chosen = await choose(agent, opened, { wish, ask });
    return chosen ?? { ...opened, agent: words };
  } catch (error) {
    const failure = failureOf(error, on.clock.read().wall);
    // before anything was asked of it there is nothing that it could have done wrong
    return failure.kind === "crash" ? setup(failure.why) : failure;
  }
}

const setup = (why: string): Failure => ({ kind: "not-started", why, until: null });

type Ask = <T>(what: string, answer: Promise<T>) => Promise<T>;

/** Who does not answer these has not understood them. */
const asker =
  (clock: Clock): Ask =>
  async (what, answer) => {
    const late = new AbortController();
    const silence = clock.sleep(ANSWER_MS, late.signal).then(() => {
      if (late.signal.aborted) return new Promise<never>(() => {});
      throw new Error(`it does not answer ${what} within ${ANSWER_MS / 60_000} minutes`);
    });
    silence.catch(() => {});
    try {
      return await Promise.race([answer, silence]);
    } finally {
      late.abort();
    }
  };

type Opened = Pick<OpenSession, "id" | "isLoaded" | "heard" | "hasTurns" | "spentUsd"> & { readonly offers: unknown };

async function begin(agent: ClientContext, { cwd, mcpServers }: SessionWish, ask: Ask): Promise<Opened> {
  const made = await ask("session/new", agent.request("session/new", { cwd, mcpServers: [...mcpServers] }));
  return { id: made.sessionId, isLoaded: false, heard: new Set(), hasTurns: false, spentUsd: 0, offers: made };
}

async function load(
  agent: ClientContext,
  before: SessionRecord,
  { wish, ask, replay, named }: { wish: SessionWish; ask: Ask; replay: Replay; named: (id: string) => void },
): Promise<Opened | null> {
  const { cwd, mcpServers } = wish;
  named(before.session);
  replay.begin();
  try {
    const params = { sessionId: before.session, cwd, mcpServers: [...mcpServers] };
    const offers = await ask("session/load", agent.request("session/load", params));
    const told = replay.end();
    const prompts = told.flatMap((update) => (update.kind === "prompt" ? [update.text] : [])).join("");
    const spentUsd = told.reduce((most, update) => (update.kind === "usage" ? (update.costUsd ?? most) : most), 0);
    const hasTurns = told.some(({ kind }) => kind === "prompt" || kind === "message" || kind === "tool");
    return { id: before.session, isLoaded: true, heard: new Set(marksIn(prompts)), hasTurns, spentUsd, offers };
  } catch (error) {
    replay.end();
    // who says no, or does not know it, can begin another; who has gone cannot
    if (error instanceof RequestError) return null;
    throw error;
  }
}

/** Mode and model as they are wished for; a failure where it has none of that name. */
async function choose(
  agent: ClientContext,
  { id, offers }: Opened,
  { wish, ask }: { wish: SessionWish; ask: Ask },
): Promise<Failure | null> {
  const { modes, configOptions } = objectOf(offers);
  if (wish.mode !== null) {
    const { currentModeId, availableModes } = objectOf(modes);
    const known = listOf(availableModes).map(({ id }) => String(id));
    if (!known.includes(wish.mode)) return setup(`it has no mode ${wish.mode} (it has: ${known.join(", ") || "none"})`);
    if (currentModeId !== wish.mode)
      await ask("session/set_mode", agent.request("session/set_mode", { sessionId: id, modeId: wish.mode }));
  }
  if (wish.model === null) return null;
  const option = listOf(configOptions).find(({ category }) => category === "model");
  if (option === undefined) return setup("it leaves no choice of a model: take model out, or give it by its own means");
  const set = { sessionId: id, configId: String(option.id), value: wish.model };
  await ask("session/set_config_option", agent.request("session/set_config_option", set));
  return null;
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(objectOf) : [];
