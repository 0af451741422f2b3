import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Asked, createFaults, type Fault } from "./faults.ts";

export interface Wire {
  readonly method: string;
  /** without the query */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** undefined: no body */
  readonly body: unknown;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ForgeHttp {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly asked: readonly Asked[];
  fault(fault: Fault): void;
  stop(): Promise<void>;
}

/** What becomes of an answer that is ready, and of which nobody has heard yet. */
export type Fate = "heard" | "cut" | "bad-gateway";
/**
 * Who stands between a forge and those who ask it: told of a request before anything is done, and of its answer before it
 * is sent. `text`: its body; of git nothing.
 */
export type Watch = (asked: {
  readonly method: string;
  readonly path: string;
  readonly text: string;
}) => Promise<((status: number) => Fate) | "cut">;

/** An answer that ends a request early. */
export class Refusal extends Error {
  readonly reply: Reply;
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`status ${status}`);
    this.reply = { status, body, headers };
  }
}

/** HTTP on loopback with JSON, ETags and faults; what is answered is the caller's. `raw` is for git. */
export async function listen(of: {
  readonly answer: (wire: Wire) => Reply;
  readonly raw: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  readonly headers: (reply: Reply) => Readonly<Record<string, string>>;
  readonly watch?: Watch | undefined;
}): Promise<ForgeHttp> {
  const faults = createFaults();
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      response.writeHead(500).end(JSON.stringify({ message: String(error) }));
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method!;
    const url = new URL(request.url!, "http://x");
    const entry: Asked = { method, path: request.url!, status: 0 };
    asked.push(entry);
    const text = isGit(url.pathname) ? "" : await read(request);
    const watched = await of.watch?.({ method, path: request.url!, text });
    if (watched === "cut") return void response.destroy();
    if (watched) holdBack(response, watched);
    const fault = faults.take(method, request.url!);
    if (fault && !fault.after) return send(entry, response, fault.answer);
    if (await of.raw(request, response)) return;
    const wire = { method, path: url.pathname, query: url.searchParams, headers: request.headers, body: json(text) };
    const reply = replyTo(wire);
    send(entry, response, fault ? fault.answer : withTag(wire, reply));
  }

  function replyTo(wire: Wire): Reply {
    try {
      return of.answer(wire);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  }

  /** An ETag on what is read; 304 without a body where it is the same. */
  function withTag({ method, headers }: Wire, reply: Reply): Reply {
    if (method !== "GET" || reply.status !== 200)
      return { ...reply, headers: { ...reply.headers, ...of.headers(reply) } };
    const hash = createHash("sha256")
      .update(JSON.stringify([reply.body, reply.headers]))
      .digest("hex");
    const etag = `W/"${hash}"`;
    const same = headers["if-none-match"] === etag;
    const base: Reply = same ? { status: 304, body: undefined } : reply;
    return { ...base, headers: { ...reply.headers, etag, ...of.headers(base) } };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    fault: faults.add,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const isGit = (path: string): boolean => /\.git\/(info\/refs|git-[a-z]+-pack)$/.test(path);

/** Nothing of an answer is on its way before its end: until then it can be taken back. */
function holdBack(response: ServerResponse, fateOf: (status: number) => Fate): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = ((body?: unknown) => {
    const fate = fateOf(response.statusCode);
    if (fate === "heard") return end(body);
    if (fate === "bad-gateway") response.socket?.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
    else response.destroy();
    return response;
  }) as typeof response.end;
}

function send(
  entry: Asked,
  response: ServerResponse,
  reply: "cut" | { status: number; body?: unknown; headers?: object },
): void {
  if (reply === "cut") return void response.destroy();
  entry.status = reply.status;
  response.writeHead(reply.status, { "content-type": "application/json; charset=utf-8", ...reply.headers });
  response.end(reply.body === undefined ? "" : JSON.stringify(reply.body));
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function json(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal(400, { message: "Problems parsing JSON" });
  }
}

/** One page of a list, with `Link` to the others. */
export function page(wire: Wire, all: readonly unknown[], { origin, most }: { origin: string; most: number }): Reply {
  const size = Math.min(Number(wire.query.get("per_page") ?? 30), most);
  const at = Number(wire.query.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (to: number, rel: string): string => {
    const query = new URLSearchParams(wire.query);
    query.set("page", String(to));
    return `<${origin}${wire.path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(at > 1 ? [link(at - 1, "prev"), link(1, "first")] : []),
    ...(at < last ? [link(at + 1, "next"), link(last, "last")] : []),
  ];
  const body = all.slice((at - 1) * size, at * size);
  return { status: 200, body, headers: links.length > 0 ? { link: links.join(", ") } : {} };
}
