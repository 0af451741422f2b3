import { spawn } from "node:child_process";
import { once } from "node:events";
import { AdbServerClient } from "@yume-chan/adb";
import { AdbServerNodeTcpConnector } from "@yume-chan/adb-server-node-tcp";
import { PawlError } from "../../../domain/errors.ts";

/** Where the adb server of this machine listens. */
export interface AdbServerPlace {
  readonly host: string;
  readonly port: number;
}

/** How long a call to the server may take, and who may end it. */
export interface Bounds {
  readonly signal: AbortSignal;
  readonly withinMs: number;
}

/** Why a call got no answer; `late`: its time was over. */
export class NoAnswer extends Error {
  readonly late: boolean;
  constructor(message: string, late: boolean) {
    super(message);
    this.late = late;
  }
}

/** As adb itself finds it: ADB_SERVER_SOCKET (tcp:HOST:PORT), ANDROID_ADB_SERVER_ADDRESS and _PORT, else 127.0.0.1:5037. */
export function adbServerPlace(env: NodeJS.ProcessEnv): AdbServerPlace {
  const socket = /^tcp:(?:(.+):)?(\d+)$/.exec(env.ADB_SERVER_SOCKET ?? "");
  const host = socket?.[1] ?? env.ANDROID_ADB_SERVER_ADDRESS ?? "127.0.0.1";
  return { host, port: Number(socket?.[2] ?? env.ANDROID_ADB_SERVER_PORT ?? 5037) };
}

/**
 * Gives `work` a client, all of whose connections are gone when this ends, and the signal that says so. Throws CANCELLED
 * when the signal aborts (nothing is begun where it was before), NoAnswer when the time is over or the connection was cut
 * off; what `work` throws goes through.
 */
export async function withServer<T>(
  place: AdbServerPlace,
  { signal, withinMs }: Bounds,
  work: (client: AdbServerClient, over: AbortSignal) => Promise<T>,
): Promise<T> {
  const cancelled = () => new PawlError("CANCELLED", "it was cancelled");
  if (signal.aborted) throw cancelled();
  const stop = new AbortController();
  let end: (why: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  const cancel = (): void => end(cancelled());
  const timer = setTimeout(
    () => end(new NoAnswer(`no answer within ${Math.round(withinMs) / 1000} s`, true)),
    withinMs,
  );
  signal.addEventListener("abort", cancel);
  try {
    return await Promise.race([ended, work(clientOf(place, stop.signal, end), stop.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    stop.abort();
  }
}

function clientOf(place: AdbServerPlace, stop: AbortSignal, lost: (error: Error) => void): AdbServerClient {
  const tcp = new AdbServerNodeTcpConnector({ host: place.host, port: place.port });
  return new AdbServerClient({
    addReverseTunnel: () => Promise.reject(new Error("no tunnels here")),
    removeReverseTunnel: () => {},
    clearReverseTunnels: () => {},
    connect: async () => {
      stop.throwIfAborted();
      const connection = await tcp.connect({ signal: stop });
      // a stream of a connection that was reset never ends by itself; one that ended well is read to its end by then
      void connection.closed.then(() =>
        setTimeout(() => lost(new NoAnswer("the connection to adb was lost", false)), GRACE_MS).unref(),
      );
      return connection;
    },
  });
}
const GRACE_MS = 500;

/** Nobody listens there. */
export const isNoServer = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === "ECONNREFUSED";

/**
 * Starts a server on this machine with the program adb, as adb itself does. Throws ADB_MISSING where there is none, or it
 * does not come up in time; CANCELLED.
 */
export async function startServer(
  { host, port }: AdbServerPlace,
  env: NodeJS.ProcessEnv,
  { signal, withinMs }: Bounds,
): Promise<void> {
  const none = (why: string, cause?: unknown) =>
    new PawlError("ADB_MISSING", `no adb server runs at ${host}:${port}, and ${why}`, {
      next: "install adb (Debian: apt install adb), or set ANDROID_ADB_SERVER_PORT to where one runs",
      cause,
    });
  if (!["127.0.0.1", "localhost", "::1"].includes(host)) throw none("on another machine none can be started");
  const timeout = Math.max(1, Math.min(withinMs, START_MS));
  const adb = spawn("adb", ["-P", String(port), "start-server"], { env, stdio: "ignore", signal, timeout });
  const [code] = await once(adb, "exit").catch((error: Error) => {
    if (signal.aborted) throw new PawlError("CANCELLED", "it was cancelled");
    throw none("adb is not installed", error);
  });
  if (code === null) throw none(`adb start-server did not end within ${Math.round(timeout) / 1000} s`);
  if (code !== 0) throw none(`adb start-server ended with ${code}`);
}
const START_MS = 10_000;
