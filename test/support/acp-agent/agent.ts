// A program that speaks ACP on stdin and stdout, and does in each turn what its script says: also what no agent should.
// It writes all that it was sent to the file ACP_HEARD, one JSON object a line.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type AgentContext,
  agent,
  type NewSessionRequest,
  ndJsonStream,
  RequestError,
  type RequestPermissionResponse,
  type ToolKind,
} from "@agentclientprotocol/sdk";
import { callTool } from "./call-tool.ts";
import type { Script, Step } from "./script.ts";

const script: Script = JSON.parse(process.env.ACP_SCRIPT ?? '{"turns":[[]]}');
const heard = (what: string, more: object = {}) => {
  if (process.env.ACP_HEARD) appendFileSync(process.env.ACP_HEARD, `${JSON.stringify({ what, ...more })}\n`);
};
heard("started", { pid: process.pid, argv: process.argv.slice(2) });
if (script.isDeaf) process.on("SIGTERM", () => heard("term"));

interface Session {
  readonly id: string;
  readonly cwd: string;
  readonly mcpServers: NewSessionRequest["mcpServers"];
  readonly prompts: string[];
  cancel: AbortController;
}
const sessions = new Map<string, Session>();

const fileOf = (id: string) => join(script.sessions!, `${id}.json`);
function keep({ id, prompts }: Session): void {
  if (script.sessions === undefined) return;
  mkdirSync(script.sessions, { recursive: true });
  writeFileSync(fileOf(id), JSON.stringify(prompts));
}

const begin = (id: string, { cwd, mcpServers }: Pick<NewSessionRequest, "cwd" | "mcpServers">, prompts: string[]) => {
  const session = { id, cwd, mcpServers, prompts, cancel: new AbortController() };
  sessions.set(id, session);
  const ids = script.modes ?? [];
  const modes =
    ids.length === 0 ? {} : { modes: { currentModeId: ids[0]!, availableModes: ids.map((id) => ({ id, name: id })) } };
  return { session, modes };
};

const app = agent({ name: "test-agent" })
  .onRequest("initialize", ({ params }) => {
    heard("initialize", params);
    return {
      protocolVersion: script.protocolVersion ?? 1,
      agentInfo: { name: "test-agent", version: "1" },
      agentCapabilities: { loadSession: script.sessions !== undefined },
    };
  })
  .onRequest("session/new", ({ params }) => {
    heard("session/new", { cwd: params.cwd, servers: params.mcpServers.map(({ name }) => name) });
    if (script.newError) throw new RequestError(script.newError.code, script.newError.message);
    const { session, modes } = begin(randomUUID(), params, []);
    keep(session);
    return { sessionId: session.id, ...modes };
  })
  .onRequest("session/load", async ({ params, client }) => {
    heard("session/load", { session: params.sessionId });
    if (!existsSync(fileOf(params.sessionId))) throw RequestError.resourceNotFound(params.sessionId);
    const { session, modes } = begin(
      params.sessionId,
      params,
      JSON.parse(readFileSync(fileOf(params.sessionId), "utf8")),
    );
    for (const text of session.prompts)
      await client.notify("session/update", {
        sessionId: session.id,
        update: { sessionUpdate: "user_message_chunk", content: { type: "text", text } },
      });
    return modes;
  })
  .onRequest("session/set_mode", ({ params }) => {
    heard("session/set_mode", { mode: params.modeId });
    return {};
  })
  .onRequest("session/prompt", async ({ params, client }) => {
    const session = sessions.get(params.sessionId)!;
    const text = params.prompt.map((part) => (part.type === "text" ? part.text : "")).join("");
    session.prompts.push(text);
    keep(session);
    heard("session/prompt", { text });
    session.cancel = new AbortController();
    const turn = script.turns[Math.min(session.prompts.length, script.turns.length) - 1] ?? [];
    return answer(turn, { session, client });
  })
  .onNotification("session/cancel", ({ params }) => {
    heard("session/cancel");
    if (!script.isDeaf) sessions.get(params.sessionId)?.cancel.abort();
  });

interface In {
  readonly session: Session;
  readonly client: AgentContext;
}

async function answer(turn: readonly Step[], at: In) {
  const { cancel } = at.session;
  const cancelled = new Promise<"cancelled">((done) =>
    cancel.signal.addEventListener("abort", () => done("cancelled")),
  );
  for (const step of turn) {
    if (step.do === "stop")
      return {
        stopReason: step.reason as "end_turn",
        ...(step.tokens === undefined ? {} : { usage: { totalTokens: step.tokens } }),
      };
    if ((await Promise.race([perform(step, at), cancelled])) === "cancelled")
      return { stopReason: "cancelled" as const };
  }
  return { stopReason: "end_turn" as const };
}

async function perform(step: Step, { session, client }: In): Promise<void> {
  const update = (body: object) =>
    client.notify("session/update", { sessionId: session.id, update: body as never }).catch(() => {});
  const note = (into: string | undefined, text: string) => {
    if (into === undefined) return;
    mkdirSync(dirname(resolve(session.cwd, into)), { recursive: true });
    writeFileSync(resolve(session.cwd, into), text);
  };
  const absolute = (path: string) => resolve(session.cwd, path);
  const sessionId = session.id;
  switch (step.do) {
    case "say":
    case "think": {
      const sessionUpdate = step.do === "say" ? "agent_message_chunk" : "agent_thought_chunk";
      for (let i = 0; i < (step.times ?? 1); i += 1)
        await update({ sessionUpdate, content: { type: "text", text: textOf(step) } });
      return;
    }
    case "plan":
      return update({
        sessionUpdate: "plan",
        entries: step.entries.map(([content, status]) => ({ content, status, priority: "medium" })),
      });
    case "tool":
      for (let i = 0; i < (step.times ?? 1); i += 1)
        await update({
          sessionUpdate: step.status === undefined ? "tool_call" : "tool_call_update",
          toolCallId: step.times === undefined ? (step.id ?? step.title) : `call-${i}`,
          title: textOf({ ...step, text: step.title }),
          kind: step.kind,
          status: step.status ?? "in_progress",
        });
      return;
    case "usage":
      return update({
        sessionUpdate: "usage_update",
        used: step.used ?? 1_000,
        size: step.size ?? 200_000,
        cost: { amount: step.costUsd, currency: "USD" },
      });
    case "write":
      await client.request("fs/write_text_file", { sessionId, path: absolute(step.path), content: textOf(step) }).then(
        () => heard("wrote", { path: step.path }),
        (error: Error) => heard("refused", { path: step.path, why: error.message }),
      );
      return;
    case "read":
      await client.request("fs/read_text_file", { sessionId, path: absolute(step.path) }).then(
        ({ content }) => note(step.into, content),
        (error: RequestError) => heard("unread", { path: step.path, code: error.code, why: error.message }),
      );
      return;
    case "run": {
      const { terminalId } = await client.request("terminal/create", { sessionId, command: step.command });
      const exit = await client.request("terminal/wait_for_exit", { sessionId, terminalId });
      const { output } = await client.request("terminal/output", { sessionId, terminalId });
      await client.request("terminal/release", { sessionId, terminalId });
      heard("ran", { command: step.command, output, ...exit });
      return;
    }
    case "disk":
      mkdirSync(dirname(absolute(step.path)), { recursive: true });
      return writeFileSync(absolute(step.path), step.text);
    case "shell":
      return void execFileSync("sh", ["-c", step.command], { cwd: session.cwd });
    case "ask": {
      const asked = {
        sessionId,
        toolCall: {
          toolCallId: "asked",
          title: step.title,
          kind: step.kind as ToolKind,
          ...(step.path === undefined ? {} : { locations: [{ path: absolute(step.path) }] }),
        },
        options: step.options.map((kind, i) => ({
          optionId: `option-${i}`,
          name: `Number ${i}`,
          kind: kind as "allow_once",
        })),
      };
      const { outcome }: RequestPermissionResponse = await client.request("session/request_permission", asked);
      const chosen = outcome.outcome === "selected" ? step.options[Number(outcome.optionId.slice(7))] : outcome.outcome;
      heard("permission", { title: step.title, chosen });
      return;
    }
    case "mcp": {
      const text = await callTool(session.mcpServers, step.tool, step.input);
      heard("tool", { tool: step.tool, text });
      return;
    }
    case "raw":
      for (let i = 0; i < (step.times ?? 1); i += 1)
        await new Promise<void>((done) => process.stdout.write(textOf(step), () => done()));
      return;
    case "update":
      return client.notify("session/update", step.params as never).catch(() => {});
    case "request":
      await client.request(step.method, step.params ?? {}).then(
        (result) => heard("answered", { method: step.method, result }),
        (error: RequestError) => heard("answered", { method: step.method, code: error.code }),
      );
      return;
    case "wait":
      return until(step.file);
    case "hang":
      return new Promise(() => {});
    case "die":
      if (step.signal) process.kill(process.pid, step.signal);
      else process.exit(step.code ?? 1);
      return new Promise(() => {});
    case "error":
      throw new RequestError(step.code, step.message, step.data);
    case "late":
      setImmediate(() =>
        setImmediate(
          () => void update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: step.text } }),
        ),
      );
      return;
    case "stop":
      return;
  }
}

/** A text that is too long for a variable is one that repeats itself up to `size` characters. */
const textOf = ({ text, size }: { readonly text: string; readonly size?: number }): string =>
  size === undefined ? text : text.repeat(Math.ceil(size / text.length)).slice(0, size);

function until(file: string): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (!existsSync(file)) return;
      watcher.close();
      done();
    };
    const watcher = watch(dirname(file), look);
    look();
  });
}

const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
const connection = app.connect(ndJsonStream(Writable.toWeb(process.stdout), input));
await connection.closed;
if (!script.isDeaf) process.exit(0);
setInterval(() => {}, 1_000);
