import type { DeviceStream } from "./device-stream.ts";
import type { DeviceFiles } from "./files.ts";

/** Files to and from the device: STAT, STA2, LST2, LIST, SEND, RECV, QUIT (SYNC.TXT of the Android sources). */
export async function serveSync(stream: DeviceStream, files: DeviceFiles): Promise<void> {
  for (;;) {
    const head = await stream.read(8);
    if (head === null) return;
    const id = head.toString("latin1", 0, 4);
    if (id === "QUIT") return stream.close();
    const path = (await stream.read(head.readUInt32LE(4)))?.toString("utf8");
    const act = ACTS[id];
    if (path === undefined || act === undefined) return stream.close();
    await act(path, stream, files);
  }
}

type Act = (path: string, stream: DeviceStream, files: DeviceFiles) => Promise<void>;

const ACTS: Readonly<Record<string, Act>> = {
  STAT: (path, stream, files) => {
    const { mode, size, mtime } = files.stat(path) ?? { mode: 0, size: 0, mtime: 0 };
    return stream.write(words("STAT", mode, size, mtime));
  },
  STA2: (path, stream, files) => stream.write(statV2("STA2", path, files)),
  LST2: (path, stream, files) => stream.write(statV2("LST2", path, files)),
  LIST: async (path, stream, files) => {
    for (const name of files.list(path)) {
      const { mode, size, mtime } = files.stat(`${path.replace(/\/+$/, "")}/${name}`)!;
      const bytes = Buffer.from(name);
      await stream.write(Buffer.concat([words("DENT", mode, size, mtime, bytes.length), bytes]));
    }
    await stream.write(words("DONE", 0, 0, 0, 0));
  },
  RECV: async (path, stream, files) => {
    const data = files.read(path);
    if (data === null) return fail(stream, "No such file or directory");
    for (let at = 0; at < data.length; at += CHUNK) {
      const chunk = data.subarray(at, at + CHUNK);
      await stream.write(Buffer.concat([words("DATA", chunk.length), chunk]));
    }
    await stream.write(words("DONE", 0));
  },
  SEND: async (target, stream, files) => {
    const [, path = "", mode = "33188"] = /^(.*),(\d+)$/s.exec(target) ?? [];
    const chunks: Buffer[] = [];
    for (;;) {
      const head = (await stream.read(8)) ?? Buffer.from("QUIT\0\0\0\0");
      const [id, value] = [head.toString("latin1", 0, 4), head.readUInt32LE(4)];
      if (id === "DATA") chunks.push((await stream.read(value)) ?? Buffer.alloc(0));
      else if (id !== "DONE") return stream.close();
      else {
        if (path.startsWith("/system/")) return fail(stream, "couldn't create file: Read-only file system");
        files.write(path, Buffer.concat(chunks), Number(mode) & 0o777, value);
        return stream.write(words("OKAY", 0));
      }
    }
  },
};
const CHUNK = 64 * 1024;
const ENOENT = 2;

const fail = (stream: DeviceStream, why: string): Promise<void> =>
  stream.write(Buffer.concat([words("FAIL", Buffer.byteLength(why)), Buffer.from(why)]));

function words(id: string, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + values.length * 4);
  bytes.write(id, "latin1");
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 + i * 4);
  return bytes;
}

/** id, error, dev, ino, mode, nlink, uid, gid, size, atime, mtime, ctime */
function statV2(id: string, path: string, files: DeviceFiles): Buffer {
  const bytes = Buffer.alloc(72);
  bytes.write(id, "latin1");
  const found = files.stat(path);
  bytes.writeUInt32LE(found ? 0 : ENOENT, 4);
  if (found === null) return bytes;
  bytes.writeUInt32LE(found.mode, 24);
  bytes.writeUInt32LE(1, 28);
  bytes.writeBigUInt64LE(BigInt(found.size), 40);
  for (const at of [48, 56, 64]) bytes.writeBigInt64LE(BigInt(found.mtime), at);
  return bytes;
}
