import { crc32 } from "node:zlib";

const MAGIC = 0x4c574150; // "PAWL"
const HEAD = 4;

/** Records as one file: a checksum, the keys, the sizes, the records. Their sizes are multiples of four. */
export function packed(records: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const keys = Buffer.from([...records.keys()].join("\n"));
  const keyRoom = Math.ceil(keys.length / 4) * 4;
  const sizes = Uint32Array.from(records.values(), ({ length }) => length);
  const bytes = Buffer.alloc(HEAD * 4 + keyRoom + sizes.byteLength + sizes.reduce((sum, size) => sum + size, 0));
  keys.copy(bytes, HEAD * 4);
  bytes.set(new Uint8Array(sizes.buffer), HEAD * 4 + keyRoom);
  let at = HEAD * 4 + keyRoom + sizes.byteLength;
  for (const record of records.values()) {
    bytes.set(record, at);
    at += record.length;
  }
  for (const [i, number] of [MAGIC, 0, records.size, keys.length].entries()) bytes.writeUInt32LE(number, i * 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(8)), 4);
  return bytes;
}

/** The records in a file, which are not copied; null: it is broken, or cut off. */
export function unpacked(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < HEAD * 4 || file.readUInt32LE(0) !== MAGIC) return null;
  if (crc32(file.subarray(8)) !== file.readUInt32LE(4)) return null;
  const count = file.readUInt32LE(8);
  const keySize = file.readUInt32LE(12);
  const keys = count === 0 ? [] : file.toString("utf8", HEAD * 4, HEAD * 4 + keySize).split("\n");
  const sizesAt = HEAD * 4 + Math.ceil(keySize / 4) * 4;
  let at = sizesAt + count * 4;
  return new Map(
    keys.map((key, i) => {
      const size = file.readUInt32LE(sizesAt + i * 4);
      at += size;
      return [key, new Uint8Array(file.buffer, file.byteOffset + at - size, size)];
    }),
  );
}
