import { PNG } from "pngjs";
import { expect, it } from "vitest";
import { frameOf } from "./png.ts";

/** a picture that is black but for these pixels */
function picture({ width = 64, height = 48, spots = [] as number[], filter = 0, colour = 6 } = {}): Buffer {
  const png = new PNG({ width, height });
  png.data = Buffer.alloc(width * height * 4);
  for (let i = 3; i < png.data.length; i += 4) png.data[i] = 255;
  for (const spot of spots) png.data[spot * 4 + 2] = 1;
  return PNG.sync.write(png, { filterType: filter as 0, colorType: colour as 6 });
}

const FILTERS = [0, 1, 2, 3, 4];

it.each(FILTERS)("black is black, and the darkest blue of one pixel is not, with filter %i", async (filter) => {
  for (const colour of [2, 6]) {
    expect((await frameOf(picture({ filter, colour }), 0)).isBlack).toBe(true);
    for (const spot of [0, 63, 64, 64 * 48 - 1])
      expect((await frameOf(picture({ filter, colour, spots: [spot] }), 0)).isBlack).toBe(false);
  }
});

it("a black picture of a phone's whole size is seen as one", async () => {
  expect((await frameOf(picture({ width: 1440, height: 3120 }), 0)).isBlack).toBe(true);
});

it("the picture is cut out of what stands around it, and its size is its header's", async () => {
  const png = picture();
  const frame = await frameOf(Buffer.concat([Buffer.from("[Warning] \x89PNG\n"), png, Buffer.from("behind")]), 7);
  expect({ ...frame, png: Buffer.from(frame.png).equals(png) }).toEqual({
    png: true,
    width: 64,
    height: 48,
    takenAt: 7,
    isBlack: true,
  });
});

it("no beginning of a picture is taken for one, wherever it ends", async () => {
  const png = picture({ width: 3, height: 2 });
  for (let end = 0; end < png.length; end++)
    await expect(frameOf(png.subarray(0, end), 0)).rejects.toMatchObject({ code: "CAPTURE_FAILED" });
  await frameOf(png, 0);
});
