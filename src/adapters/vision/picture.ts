import type { Picture } from "../../ports/model.ts";

/** A PNG as a model is shown it. */
export const pictureOf = (png: Uint8Array): Picture => ({
  mediaType: "image/png",
  base64: Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString("base64"),
});
