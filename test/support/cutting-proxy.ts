import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

/** A way to a server that can be cut: before what holds `words` came there, or after it came and before its answer is heard. */
export interface CuttingProxy {
  /** host:port */
  readonly at: string;
  /** cuts the next question that holds these words, once */
  cut(moment: "before" | "after", words: string): void;
  /** refuses everybody from now on, and cuts who is there */
  close(): Promise<void>;
  /** how often it has cut */
  readonly cuts: number;
}

export async function cuttingProxy(socketPath: string): Promise<CuttingProxy> {
  let next: { readonly moment: "before" | "after"; readonly words: string } | null = null;
  let cuts = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const far = createConnection(socketPath);
    let deaf = false;
    const end = (): void => {
      client.destroy();
      far.destroy();
    };
    for (const socket of [client, far]) {
      open.add(socket);
      socket.on("error", end).on("close", () => {
        open.delete(socket);
        end();
      });
    }
    client.on("data", (bytes) => {
      const meant = next !== null && bytes.includes(next.words);
      if (meant && next!.moment === "before") {
        next = null;
        cuts++;
        return end();
      }
      if (meant) deaf = true;
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (!deaf) return void client.write(bytes);
      // The answer is here, so what was asked is done; nobody will hear of it.
      next = null;
      cuts++;
      end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    at: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (moment, words) => {
      next = { moment, words };
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
    get cuts() {
      return cuts;
    },
  };
}
