import type { KeyObject } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Connection } from "./connection.ts";
import type { Phone } from "./phone.ts";
import { serveShell } from "./shell-service.ts";
import { serveSync } from "./sync-service.ts";

/** The daemon of a simulated device, on a port of this machine. */
export interface Adbd {
  readonly port: number;
  /** loses all connections and takes none for so long; Infinity: until `back` */
  drop(ms?: number): void;
  back(): void;
  /** from now on connections are taken, and nothing is said on them: the host calls it offline */
  mute(isMute: boolean): void;
  /** on the connections that there are, nothing comes through any more, and nobody is told; new ones work */
  freeze(): void;
  /** forgets the hosts it knows, and lets no new one in until `authorize` */
  forbid(): void;
  authorize(): void;
  close(): Promise<void>;
}

export async function startAdbd(phone: Phone): Promise<Adbd> {
  const connections = new Set<Connection>();
  const trusted: KeyObject[] = [];
  const state = { isGone: false, isMute: false, asksFirst: false, timer: undefined as NodeJS.Timeout | undefined };
  const side = {
    version: phone.isOld ? 0x01000000 : 0x01000001,
    banner: () =>
      `device::${Object.entries(phone.props)
        .filter(([name]) => name.startsWith("ro.product."))
        .map((prop) => prop.join("="))
        .join(";")};features=${phone.isOld ? "cmd" : "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir"}`,
    trusted,
    letsIn: () => !state.asksFirst,
    isMute: () => state.isMute,
    broken: (error: unknown) => void failures.push(error),
    serve: (stream: Parameters<typeof serveShell>[0]) => {
      const served = stream.service.startsWith("sync:") ? serveSync(stream, phone.files) : serveShell(stream, phone);
      served.catch((error: unknown) => {
        failures.push(error);
        stream.close();
      });
    },
  };
  const failures: unknown[] = [];
  const server = createServer((socket) => {
    if (state.isGone) return socket.destroy();
    const connection = new Connection(socket, side);
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cutAll = (): void => {
    for (const connection of connections) connection.cut();
  };
  const adbd: Adbd = {
    port: (server.address() as AddressInfo).port,
    drop: (ms = Number.POSITIVE_INFINITY) => {
      clearTimeout(state.timer);
      state.isGone = true;
      cutAll();
      if (Number.isFinite(ms)) state.timer = setTimeout(adbd.back, ms);
    },
    back: () => {
      state.isGone = false;
    },
    mute: (isMute) => {
      state.isMute = isMute;
      cutAll();
    },
    freeze: () => {
      for (const connection of connections) connection.freeze();
    },
    forbid: () => {
      state.asksFirst = true;
      trusted.length = 0;
      cutAll();
    },
    authorize: () => {
      state.asksFirst = false;
      for (const connection of connections) connection.look();
    },
    close: async () => {
      clearTimeout(state.timer);
      state.isGone = true;
      cutAll();
      server.close();
      await once(server, "close");
      if (failures.length > 0) throw failures[0];
    },
  };
  phone.cut = (ms) => adbd.drop(ms);
  return adbd;
}
