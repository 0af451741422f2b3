import { Readable } from "node:stream";
import { constants, createInflate, inflateSync } from "node:zlib";
import { PawlError } from "../../domain/errors.ts";
import type { Frame } from "../../ports/bridge.ts";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** by colour type: how many channels a pixel has, and how many of them are its colour; a palette says nothing here */
const CHANNELS: Readonly<Record<number, readonly [all: number, colour: number]>> = {
  0: [1, 1],
  2: [3, 3],
  4: [2, 1],
  6: [4, 3],
};

interface Png {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colourType: number;
  readonly isInterlaced: boolean;
  readonly data: readonly Uint8Array[];
}

/**
 * The frame that is in these bytes: the first whole PNG, whatever stands before or behind it (some systems write
 * warnings there). Throws CAPTURE_FAILED where there is none, or only the beginning of one.
 */
export async function frameOf(captured: Uint8Array, takenAt: number): Promise<Frame> {
  const png = readPng(Buffer.from(captured.buffer, captured.byteOffset, captured.byteLength));
  if (typeof png === "string") throw new PawlError("CAPTURE_FAILED", png, { next: "look whether its screen is on" });
  return { png: png.bytes, width: png.width, height: png.height, takenAt, isBlack: await isBlack(png) };
}

function readPng(captured: Buffer): Png | string {
  const start = captured.indexOf(SIGNATURE);
  if (start < 0) return `the screen's picture is no PNG: ${beginning(captured)}`;
  const data: Uint8Array[] = [];
  for (let at = start + SIGNATURE.length; at + 12 <= captured.length; ) {
    const length = captured.readUInt32BE(at);
    const kind = captured.toString("latin1", at + 4, at + 8);
    const end = at + 12 + length;
    if (end > captured.length) break;
    if (kind === "IDAT") data.push(captured.subarray(at + 8, end - 4));
    if (kind === "IEND") return { ...headerOf(captured, start + 16), bytes: captured.subarray(start, end), data };
    at = end;
  }
  return `the screen's picture ends after ${captured.length - start} bytes, before the end of its PNG`;
}

function headerOf(captured: Buffer, at: number): Omit<Png, "bytes" | "data"> {
  return {
    width: captured.readUInt32BE(at),
    height: captured.readUInt32BE(at + 4),
    depth: captured[at + 8]!,
    colourType: captured[at + 9]!,
    isInterlaced: captured[at + 12] !== 0,
  };
}

const beginning = (bytes: Buffer): string =>
  bytes.length === 0 ? "nothing came" : JSON.stringify(bytes.toString("utf8", 0, 120).trim());

/**
 * Each of PNG's filters predicts black from black, so a picture is black exactly where all filtered bytes of its colours
 * are 0: nothing has to be filtered back, and one byte of another colour ends the search. It mostly is among the first.
 */
async function isBlack({ width, depth, colourType, isInterlaced, data }: Png): Promise<boolean> {
  const channels = CHANNELS[colourType];
  if (channels === undefined || depth < 8 || isInterlaced) return false;
  const [all, colour] = channels.map((count) => (count * depth) / 8) as [number, number];
  const stride = 1 + width * all;
  const hasColour = (bytes: Buffer, from: number): boolean =>
    bytes.some((byte, i) => byte !== 0 && isColour((from + i) % stride, all, colour));
  try {
    if (hasColour(beginningOf(data), 0)) return false;
    let at = 0;
    for await (const chunk of Readable.from(data).pipe(
      createInflate({ chunkSize: 1 << 16 }),
    ) as AsyncIterable<Buffer>) {
      if (hasColour(chunk, at)) return false;
      at += chunk.length;
    }
    return at > 0;
  } catch {
    return false;
  }
}

/** What the first bytes inflate to, at once; a whole picture is inflated beside, as it may take a while. */
const beginningOf = ([first]: readonly Uint8Array[]): Buffer =>
  first === undefined
    ? Buffer.alloc(0)
    : inflateSync(first.subarray(0, 192), { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1 << 14 });

const isColour = (inRow: number, all: number, colour: number): boolean => inRow > 0 && (inRow - 1) % all < colour;
