import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PawlError } from "../../domain/errors.ts";
import type { Ms } from "../../domain/names.ts";
import type { Proof, Prover } from "./proof.ts";
import { type Sender, type Topic, topicOf } from "./topic.ts";

export interface ReceiverOptions {
  /** port 0: one that is free */
  readonly host: string;
  readonly port: number;
  /** whose hooks are taken, each below its own name: `/github`, `/gitlab` */
  readonly provers: Readonly<Partial<Record<Sender, Prover>>>;
  /** what a delivery with a proof is worth a look at; null: nothing */
  readonly taken: (topic: Topic | null) => void;
  /** a delivery without one */
  readonly refused: (sender: Sender) => void;
  readonly now?: () => number;
  readonly bounds?: Partial<typeof BOUNDS>;
}

export interface Receiver {
  /** `http://127.0.0.1:8787` */
  readonly url: string;
  close(): Promise<void>;
}

/** GitHub sends at most 25 MB, and waits ten seconds for an answer. */
const BOUNDS = { bytes: 25 * 1024 * 1024, requestMs: 20_000 as Ms, headersMs: 5_000 as Ms, connections: 64 };

/**
 * Takes hooks of forges over HTTP. A delivery is a hint to look now, and nothing else: of its body only the signature is
 * reckoned, byte after byte, and none of it is kept. It is answered at once. Throws WEBHOOK_LISTEN where nobody can listen.
 */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const bounds = { ...BOUNDS, ...options.bounds };
  const { requestMs, headersMs } = bounds;
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: Math.min(headersMs, requestMs),
      keepAliveTimeout: headersMs,
      connectionsCheckingInterval: Math.min(1_000, headersMs),
    },
    (request, response) => receive(request, response, { ...options, mostBytes: bounds.bytes }),
  );
  server.maxConnections = bounds.connections;
  await listening(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, { host, port }: ReceiverOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(notListening(error, `${host}:${port}`)));
    server.listen(port, host, resolve);
  });
}

function notListening({ code, message }: NodeJS.ErrnoException, address: string): PawlError {
  const why = code === "EADDRINUSE" ? "another program listens there" : message;
  return new PawlError("WEBHOOK_LISTEN", `webhooks cannot be received at ${address}: ${why}`, {
    next: "end that program, or write another address into webhooks.listen",
  });
}

type Receiving = ReceiverOptions & { readonly mostBytes: number };

function receive(request: IncomingMessage, response: ServerResponse, of: Receiving): void {
  const sender = senderOf(request.url ?? "");
  const prover = sender === null ? undefined : of.provers[sender];
  if (sender === null || prover === undefined) return answer(response, 404);
  if (request.method !== "POST") return answer(response, 405, { allow: "POST" });
  if (!isBody(request.headers["content-type"])) return answer(response, 415);
  if (Number(request.headers["content-length"] ?? 0) > of.mostBytes) return answer(response, 413);
  const proof = prover(request.headers, (of.now ?? Date.now)());
  const refuse = () => {
    of.refused(sender);
    answer(response, 401);
  };
  if (proof === null) return refuse();
  readAll(request, proof, {
    most: of.mostBytes,
    tooMuch: () => answer(response, 413),
    end: () => {
      if (!proof.holds()) return refuse();
      const topic = topicOf(sender, request.headers);
      of.taken(topic);
      answer(response, topic === null ? 204 : 202);
    },
  });
}

function readAll(
  request: IncomingMessage,
  proof: Proof,
  of: { readonly most: number; readonly tooMuch: () => void; readonly end: () => void },
): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= of.most) return proof.take(chunk);
    request.removeAllListeners("data").removeAllListeners("end");
    of.tooMuch();
  });
  request.on("end", of.end);
  // Cut off in the middle: nobody waits for an answer.
  request.on("error", () => {});
}

/** `/github`, and what a proxy may put behind it. */
const senderOf = (url: string): Sender | null => {
  const [, name] = /^\/(github|gitlab)\/?(?:\?|$)/.exec(url) ?? [];
  return (name as Sender | undefined) ?? null;
};

/** GitHub can send a form too; it is signed as it is sent. */
const isBody = (type: string | undefined): boolean =>
  /^application\/(json|x-www-form-urlencoded)\s*(;|$)/i.test(type ?? "");

/** Whoever is refused is not listened to any longer. */
function answer(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, status < 300 ? headers : { ...headers, connection: "close" }).end();
}
