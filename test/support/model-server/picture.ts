import type { AskedPicture, AskedTurn } from "./script.ts";
import { refuseUnless, text } from "./valid.ts";

/** What providers say of larger ones. */
const MOST_BYTES = 5 * 1024 * 1024;
const MOST_SIDE = 8_000;

/** A picture as base64, with its type beside it: a PNG that is what it says it is, or the refusal of a provider. */
export function pictureOf(base64: unknown, mediaType: unknown, where: string): AskedPicture {
  refuseUnless(mediaType === "image/png", `${where}: the media type ${String(mediaType)} is not supported here`);
  const written = text(base64, where);
  refuseUnless(/^[A-Za-z0-9+/]+={0,2}$/.test(written) && written.length % 4 === 0, `${where}: invalid base64 data`);
  const bytes = Buffer.from(written, "base64");
  refuseUnless(bytes.length <= MOST_BYTES, `${where}: image exceeds 5 MB maximum`);
  refuseUnless(
    bytes.length > 32 && bytes.subarray(1, 4).toString("latin1") === "PNG" && bytes.includes("IEND"),
    `${where}: Could not process image`,
  );
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  refuseUnless(Math.max(width, height) <= MOST_SIDE, `${where}: image dimensions exceed ${MOST_SIDE} pixels`);
  return { width, height, bytes };
}

/** The same in an address: `data:image/png;base64,…`. Nobody fetches others here. */
export function pictureAt(url: unknown, where: string): AskedPicture {
  const found = /^data:([a-z/]+);base64,(.*)$/s.exec(text(url, where));
  refuseUnless(found !== null, `${where}: Expected a base64-encoded data URL with an image`);
  return pictureOf(found[2], found[1], where);
}

/** A user's turn of texts and pictures in their order. */
export function userTurn(texts: readonly string[], pictures: readonly AskedPicture[]): AskedTurn {
  return { role: "user", text: texts.join("\n"), ...(pictures.length > 0 ? { pictures } : {}) };
}
