import type { DeviceStream } from "./device-stream.ts";
import type { Phone } from "./phone.ts";
import { PROGRAMS } from "./programs.ts";
import { runShell, type Terminal } from "./shell.ts";

const STDOUT = 1;
const STDERR = 2;
const EXIT = 3;

/**
 * `shell,v2,…:LINE` (packets of one byte id, four bytes length, data: shell_protocol.h of the Android sources), and the
 * old `shell:LINE` and `exec:LINE`, which mix both outputs and tell no exit code. A fault may keep the answer back.
 */
export async function serveShell(stream: DeviceStream, phone: Phone): Promise<void> {
  const [, kind = "", line = ""] = /^([^:]*):([\s\S]*)$/.exec(stream.service) ?? [];
  const isV2 = kind.split(",").includes("v2");
  if (isV2 && phone.isOld) return stream.close();
  const packet = (id: number) => async (bytes: Buffer | string) => {
    const data = Buffer.from(bytes as Buffer);
    const head = Buffer.from([id, 0, 0, 0, 0]);
    head.writeUInt32LE(data.length, 1);
    await stream.write(Buffer.concat([head, data]));
  };
  const raw = (bytes: Buffer | string): Promise<void> =>
    stream.write(kind.startsWith("shell") ? asTerminal(bytes) : bytes);
  const terminal: Terminal = {
    phone,
    out: isV2 ? packet(STDOUT) : raw,
    err: isV2 ? packet(STDERR) : raw,
    gone: stream.closed,
  };
  phone.lines.push(line);
  const code = await runShell(line, terminal, PROGRAMS);
  if (phone.faults.isSilent()) return;
  if (isV2) await packet(EXIT)(Buffer.from([code & 255]));
  stream.close();
}

/** Without v2, `shell:` is a terminal: it writes a carriage return before each new line. */
const asTerminal = (bytes: Buffer | string): Buffer =>
  Buffer.from(
    Buffer.from(bytes as Buffer)
      .toString("latin1")
      .replaceAll("\n", "\r\n"),
    "latin1",
  );
