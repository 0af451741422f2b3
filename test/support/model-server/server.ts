import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import type { ServerDialect, WireRequest } from "./dialect.ts";
import { fill } from "./fill.ts";
import { google } from "./google.ts";
import { responses } from "./responses.ts";
import { type Asked, Refused, type Reply, type Script } from "./script.ts";
import { sendBody, sendEvents } from "./send.ts";
import type { Json } from "./valid.ts";

const DIALECTS: readonly ServerDialect[] = [anthropic, chat, responses, google];

/** One request as it came, key left out. */
export interface Logged {
  readonly n: number;
  /** ms since 1970, when the whole request had been read */
  readonly at: number;
  readonly path: string;
  /** of the body */
  readonly bytes: number;
  readonly body: unknown;
  /** what it was answered; 200 also where the answer was cut later */
  status: number;
  /** what it was refused for */
  refused?: string;
}

export interface ModelServer {
  /** http://127.0.0.1:PORT, without a path */
  readonly url: string;
  readonly log: readonly Logged[];
  /** answers what comes from now on by another script */
  script(script: Script): void;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** any key is taken where none is named; none at all is taken where it is null */
  readonly keys?: readonly string[] | null;
  readonly port?: number;
  /** called with each request when it was read, before it is answered, and again when it was */
  readonly onLog?: (entry: Logged) => void;
}

/**
 * Models that say what a script says, over the real wire formats on loopback. What it is sent is checked as the providers
 * do, and answered 400 in their words where they would.
 */
export async function startModelServer(script: Script, options: ServerOptions = {}): Promise<ModelServer> {
  const state = { script, log: [] as Logged[], replies: 0 };
  const server = createServer((request, response) => void handle(request, response, { state, options }));
  server.on("clientError", (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log: state.log,
    script: (next) => {
      state.script = next;
      state.replies = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface With {
  readonly state: { script: Script; log: Logged[]; replies: number };
  readonly options: ServerOptions;
}

async function handle(request: IncomingMessage, response: ServerResponse, { state, options }: With): Promise<void> {
  response.on("error", () => {});
  const bytes = await read(request);
  if (bytes === null) return;
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
  const entry: Logged = {
    n: state.log.length + 1,
    at: Date.now(),
    path: pathname,
    bytes: bytes.length,
    body: parsed(bytes),
    status: 0,
  };
  state.log.push(entry);
  options.onLog?.(entry);
  const dialect = DIALECTS.find(({ owns }) => owns(pathname));
  const wire = {
    path: pathname,
    query: searchParams,
    headers: request.headers as Record<string, string>,
    body: entry.body as Json,
  };
  try {
    if (!dialect) throw new Refused(`Not Found: ${request.method} ${pathname}`, { status: 404 });
    const asked = check(dialect, wire, { n: entry.n, options });
    await answer(response, { dialect, asked, key: dialect.key(wire), reply: await next(state, asked), entry });
  } catch (error) {
    const refused =
      error instanceof Refused ? error : new Refused(`the script or the server failed: ${error}`, { status: 400 });
    entry.status = refused.status;
    entry.refused = refused.message.replaceAll(dialect?.key(wire) || "[key]", "[key]");
    sendBody(response, {
      status: refused.status,
      body: JSON.stringify((dialect ?? chat).error(refused.status, { type: refused.type, message: refused.message })),
    });
  }
  options.onLog?.(entry);
}

async function next(state: With["state"], asked: Asked): Promise<Reply> {
  if (typeof state.script === "function") return state.script(asked);
  const reply = state.script[state.replies++];
  if (reply === undefined) throw new Refused(`the script has no answer for request ${asked.n}`);
  return reply;
}

function check(
  dialect: ServerDialect,
  wire: WireRequest,
  { n, options }: { n: number; options: ServerOptions },
): Asked {
  const key = dialect.key(wire);
  const { keys } = options;
  if (keys !== null && (key === null || key === "")) throw new Refused("no API key was provided", { status: 401 });
  if (keys && !keys.includes(key ?? "")) throw new Refused(`Incorrect API key provided: ${key}.`, { status: 401 });
  if (typeof wire.body !== "object" || wire.body === null)
    throw new Refused("We could not parse the JSON body of your request.");
  return { ...dialect.read(wire), n, dialect: dialect.name, body: wire.body };
}

interface Answering {
  readonly dialect: ServerDialect;
  readonly asked: Asked;
  readonly key: string | null;
  readonly reply: Reply;
  readonly entry: Logged;
}

async function answer(response: ServerResponse, { dialect, asked, key, reply, entry }: Answering): Promise<void> {
  entry.status = "fail" in reply ? reply.fail : "html" in reply ? reply.html : 200;
  if ("html" in reply) return sendBody(response, { status: reply.html, body: PAGE, type: "text/html" });
  if ("fail" in reply) {
    const message = `${reply.message ?? "it fails, as the script says"}${reply.echoKey ? ` (key ${key})` : ""}`;
    const body = reply.body ?? JSON.stringify(dialect.error(reply.fail, { type: reply.type ?? null, message }));
    return sendBody(response, { status: reply.fail, body, headers: reply.headers ?? {} });
  }
  const filled = fill(reply, { asked, key, bytes: entry.bytes });
  if (!asked.stream || reply.whole)
    return sendBody(response, {
      status: 200,
      body: JSON.stringify(dialect.whole(asked, filled)),
      how: reply,
    });
  await sendEvents(response, dialect.events(asked, filled), reply);
}
const PAGE = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>";

/** null: the client went away before it had sent all */
async function read(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(part as Buffer);
    return Buffer.concat(parts);
  } catch {
    return null;
  }
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
};
