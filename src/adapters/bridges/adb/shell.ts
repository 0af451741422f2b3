import { randomBytes } from "node:crypto";
import { type AdbServerClient, AdbShellProtocolProcessImpl } from "@yume-chan/adb";
import { type AdbServerPlace, type Bounds, NoAnswer, withServer } from "./server.ts";

/** How a command of the device ended; `not-sent`: nothing happened; `unanswered`: it may have, and nobody knows. */
export type ShellEnd =
  | { readonly kind: "ended"; readonly code: number; readonly out: Buffer; readonly err: string }
  | { readonly kind: "not-sent"; readonly why: string }
  | { readonly kind: "unanswered"; readonly why: string; readonly isLate: boolean };

/** A device, seen through the server. `isOld`: no shell v2 (before Android 7), so no exit codes of its own. */
export interface Shell {
  readonly place: AdbServerPlace;
  readonly serial: string;
  readonly isOld: boolean;
}

/** Throws what the server says where the device cannot be asked now. */
export async function openShell(place: AdbServerPlace, serial: string, bounds: Bounds): Promise<Shell> {
  const features = await withServer(place, bounds, async (client) => {
    const stream = await client.createConnection(`host-serial:${serial}:features`);
    return (await stream.readString()).split(",");
  });
  return { place, serial, isOld: !features.includes("shell_v2") };
}

/** Runs one line in the device's shell. Throws CANCELLED alone. */
export async function runLine(shell: Shell, line: string, bounds: Bounds): Promise<ShellEnd> {
  const sent = { isSent: false };
  try {
    return await withServer(shell.place, bounds, (client) => ask(client, shell, line, sent));
  } catch (error) {
    if ((error as { code?: string }).code === "CANCELLED") throw error;
    const why = error instanceof Error ? error.message : String(error);
    if (!sent.isSent) return { kind: "not-sent", why };
    return { kind: "unanswered", why, isLate: error instanceof NoAnswer && error.late };
  }
}

async function ask(client: AdbServerClient, shell: Shell, line: string, sent: { isSent: boolean }): Promise<ShellEnd> {
  const stream = await client.createConnection(`host:transport:${shell.serial}`);
  const marker = `pawl-${randomBytes(6).toString("hex")}`;
  sent.isSent = true;
  await stream.writeString(shell.isOld ? `exec:${line}\necho ${marker}:$?` : `shell,v2,raw:${line}`);
  const answer = Buffer.from(await stream.readExactly(4)).toString("latin1");
  if (answer !== "OKAY") {
    const why = await stream.readString();
    // "closed" is said of a device that went away, too, after it was told
    if (why !== "closed") sent.isSent = false;
    throw new Error(why);
  }
  const socket = { ...stream.release(), service: "" };
  return shell.isOld ? marked(await collect(socket.readable), marker) : await ended(socket);
}

type Socket = ConstructorParameters<typeof AdbShellProtocolProcessImpl>[0];

async function ended(socket: Socket): Promise<ShellEnd> {
  const run = new AdbShellProtocolProcessImpl(socket);
  const [out, err, code] = await Promise.all([collect(run.stdout), collect(run.stderr), run.exited]);
  return { kind: "ended", code, out, err: err.toString("utf8") };
}

/** An old device tells no exit code: the line is followed by one that prints it behind a word that nobody else prints. */
function marked(all: Buffer, marker: string): ShellEnd {
  const at = all.lastIndexOf(`${marker}:`);
  if (at < 0) return { kind: "unanswered", why: "its output ended early", isLate: false };
  const code = Number.parseInt(all.toString("latin1", at + marker.length + 1), 10);
  return { kind: "ended", code, out: all.subarray(0, at), err: "" };
}

async function collect(readable: Socket["readable"]): Promise<Buffer> {
  const reader = readable.getReader();
  const chunks: Uint8Array[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  return Buffer.concat(chunks);
}
