/** The share of pixels, 0 to 1, in which two PNGs differ; null: they are of different sizes. Equal bytes are not unpacked. */
export async function differenceOf(one: Uint8Array, other: Uint8Array): Promise<number | null> {
  if (Buffer.compare(one, other) === 0) return 0;
  const [{ PNG }, { default: pixelmatch }] = await Promise.all([import("pngjs"), import("pixelmatch")]);
  const [a, b] = [PNG.sync.read(Buffer.from(one)), PNG.sync.read(Buffer.from(other))];
  if (a.width !== b.width || a.height !== b.height) return null;
  return pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 }) / (a.width * a.height);
}
