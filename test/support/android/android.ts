import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Adbd, startAdbd } from "./adbd.ts";
import { Phone, type Size } from "./phone.ts";

/** The real adb's server on a port of its own, with keys of its own in a temporary folder. */
export interface AdbServer {
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  /** runs the real client against it; resolves whatever its exit code is */
  adb(...args: readonly string[]): Promise<{ code: number; stdout: Buffer; stderr: string }>;
  /** ends whatever server listens there, also one that was started later, and waits until nobody listens */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function startAdbServer(): Promise<AdbServer> {
  const home = mkdtempSync(join(tmpdir(), "pawl-adb-"));
  const port = await freePort();
  // the last two: no search for emulators on this machine's ports, none for devices in the network
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    SCRATCH: home,
    ANDROID_ADB_SERVER_PORT: String(port),
    ADB_LOCAL_TRANSPORT_MAX_PORT: "5553",
    ADB_MDNS: "0",
  };
  // the shell ends it when its input does: also where the test's process is killed
  const script = `adb -P ${port} nodaemon server & read -r _; kill -9 $!; rm -rf "$SCRATCH"`;
  const server = spawn("sh", ["-c", script], { env, stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(server, "exit");
  const adb: AdbServer["adb"] = (...args) =>
    new Promise((resolve) => {
      execFile("adb", [...args], { env, encoding: "buffer", maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === "number" ? error.code : error ? -1 : 0,
          stdout,
          stderr: String(stderr),
        }),
      );
    });
  await heard(port, true);
  return {
    port,
    env,
    adb,
    kill: async () => {
      await adb("kill-server");
      await heard(port, false);
    },
    stop: async () => {
      server.stdin.end();
      await ended;
    },
  };
}

/** A simulated phone that hangs on a real adb server, ready for a bridge. */
export interface Android {
  /** adb:SERIAL, as a user would name it */
  readonly target: string;
  readonly serial: string;
  /** of the adb server */
  readonly port: number;
  readonly server: AdbServer;
  /** the phone itself: what it shows, what was done to it, its fault script */
  readonly phone: Phone;
  /** its connection: drop, unauthorized, offline */
  readonly daemon: Adbd;
  close(): Promise<void>;
}

/** `server`: one that is there, which then is not stopped at the end. `unauthorized`: nobody allowed this host yet. */
export async function startAndroid(
  of: { size?: Size; isOld?: boolean; server?: AdbServer; unauthorized?: boolean } = {},
): Promise<Android> {
  const server = of.server ?? (await startAdbServer());
  const phone = new Phone(of);
  const daemon = await startAdbd(phone);
  if (of.unauthorized) daemon.forbid();
  const serial = `127.0.0.1:${daemon.port}`;
  await server.adb("connect", serial);
  // it connects first, and shows that the host is known to it a moment later
  if (!of.unauthorized) await server.adb("-s", serial, "wait-for-device");
  return {
    target: `adb:${serial}`,
    serial,
    port: server.port,
    server,
    phone,
    daemon,
    close: async () => {
      if (of.server) await server.adb("disconnect", serial);
      else await server.stop();
      await daemon.close();
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** Waits until somebody listens there, or nobody does; more than 10 s is an error. */
async function heard(port: number, wanted: boolean): Promise<void> {
  const until = Date.now() + 10_000;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isUp = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isUp === wanted) return;
    if (Date.now() > until) throw new Error(`adb's server does not ${wanted ? "come up" : "end"}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
