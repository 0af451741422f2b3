/**
 * ADB's packets: six little-endian words and their data. Facts from the protocol.txt of the Android sources
 * (packages/modules/adb) and github.com/cstyan/adbDocumentation.
 */
export interface Packet {
  readonly command: number;
  readonly arg0: number;
  readonly arg1: number;
  readonly data: Buffer;
}

export const CNXN = 0x4e584e43;
export const AUTH = 0x48545541;
export const OPEN = 0x4e45504f;
export const OKAY = 0x59414b4f;
export const CLSE = 0x45534c43;
export const WRTE = 0x45545257;

const HEADER = 24;

/** `data_check` is the sum of the data's bytes; versions from 0x01000001 do not look at it. */
export function packetBytes({ command, arg0, arg1, data }: Packet): Buffer {
  const header = Buffer.alloc(HEADER);
  const words = [command, arg0, arg1, data.length, sum(data), (command ^ 0xffffffff) >>> 0];
  for (const [i, word] of words.entries()) header.writeUInt32LE(word >>> 0, i * 4);
  return Buffer.concat([header, data]);
}

const sum = (data: Buffer): number => data.reduce((total, byte) => (total + byte) >>> 0, 0);

/** Cuts what arrives into packets; a header that is none is an error. */
export class PacketReader {
  #rest: Buffer = Buffer.alloc(0);
  readonly #checked: () => boolean;

  constructor(checked: () => boolean) {
    this.#checked = checked;
  }

  feed(chunk: Buffer): readonly Packet[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const packets: Packet[] = [];
    for (let next = this.#next(); next !== null; next = this.#next()) packets.push(next);
    return packets;
  }

  #next(): Packet | null {
    if (this.#rest.length < HEADER) return null;
    const word = (i: number): number => this.#rest.readUInt32LE(i * 4);
    if (word(5) !== (word(0) ^ 0xffffffff) >>> 0) throw new Error("not a packet: its magic is wrong");
    const end = HEADER + word(3);
    if (this.#rest.length < end) return null;
    const packet = { command: word(0), arg0: word(1), arg1: word(2), data: this.#rest.subarray(HEADER, end) };
    if (this.#checked() && word(4) !== sum(packet.data)) throw new Error("a packet's check sum is wrong");
    this.#rest = this.#rest.subarray(end);
    return packet;
  }
}
