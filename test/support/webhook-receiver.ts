import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came. */
export interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
/** What is answered to a request; `null`: the connection is cut, and nothing is. */
export type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | null;

/** Receives notices over HTTP, and counts what it takes (2xx) by Idempotency-Key, as a receiver that keeps to it would. */
export async function webhookReceiver(answer: (received: Received, n: number) => Answer | Promise<Answer>) {
  const received: Received[] = [];
  const taken = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", async () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString("utf8") };
      const said = await answer(one, received.push(one));
      if (said === null) return void request.socket.destroy();
      const key = String(request.headers["idempotency-key"]);
      if (said.status < 300) taken.set(key, (taken.get(key) ?? 0) + 1);
      response.writeHead(said.status, said.headers).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    taken,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
