import { resolve } from "node:path";
import { PNG } from "pngjs";
import { afterAll, describe, expect, test } from "vitest";
import type { ScreenNode } from "../../../ports/bridge.ts";
import { type Mark, marksOf } from "../marks.ts";
import { markDrawer } from "./mark-drawer.ts";

const node = (over: Partial<ScreenNode>, box: readonly number[]): ScreenNode => {
  const [left = 0, top = 0, right = 0, bottom = 0] = box;
  return {
    bounds: { left, top, right, bottom },
    role: "android.view.View",
    text: "",
    label: "",
    isClickable: false,
    isFocused: false,
    isEditable: false,
    children: [],
    ...over,
  };
};
const SIZE = { width: 540, height: 1170 };
const TREE = node(
  {
    children: [
      node({ isEditable: true, role: "android.widget.EditText", label: "Search" }, [20, 100, 520, 180]),
      node({ isClickable: true, children: [node({ text: "Buy\n now" }, [30, 310, 90, 330])] }, [20, 300, 270, 360]),
      node({ isClickable: true, text: "off the edge" }, [500, 1150, 900, 1300]),
      node({ isClickable: true, text: "outside" }, [600, 100, 700, 200]),
      node({ isClickable: true, text: "at the same place" }, [20, 300, 270, 360]),
      node({ text: "only words" }, [20, 400, 270, 460]),
    ],
  },
  [0, 0, 540, 1170],
);

describe("marks", () => {
  test("what can be touched or typed into and is in the picture gets a number, a name and a middle", () => {
    expect(marksOf(TREE, SIZE).map(({ number, name, at }) => [number, name, at])).toEqual([
      [1, 'EditText "Search"', [0.5, 140 / 1170]],
      [2, 'View "Buy now"', [145 / 540, 330 / 1170]],
      [3, 'View "off the edge"', [520 / 540, 1160 / 1170]],
    ]);
  });

  test("there are never more than a picture can bear", () => {
    const many = Array.from({ length: 300 }, (_, i) => node({ isClickable: true }, [i, 0, i + 50, 50]));
    expect(marksOf(node({ children: many }, []), SIZE)).toHaveLength(80);
  });
});

describe("the drawing", () => {
  const drawer = markDrawer(resolve("dist/overlay-worker.mjs"));
  afterAll(() => drawer.close());

  const grey = (): Uint8Array => {
    const png = new PNG(SIZE);
    png.data.fill(200);
    return PNG.sync.write(png);
  };
  const draw = (png: Uint8Array, marks: readonly Mark[], signal = new AbortController().signal) =>
    drawer.draw(png, marks, signal);
  const pixel = ({ width, data }: PNG, x: number, y: number) => [
    ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
  ];

  test("frames and numbers are where the elements are, and nothing else is changed", async () => {
    const drawn = PNG.sync.read(Buffer.from(await draw(grey(), marksOf(TREE, SIZE))));
    expect([drawn.width, drawn.height]).toEqual([540, 1170]);
    // the frame of 1 is red, at its right edge; of 2 blue
    expect(pixel(drawn, 519, 150)).toEqual([214, 39, 40]);
    expect(pixel(drawn, 100, 359)).toEqual([31, 119, 180]);
    // the plate of 1 with its number in white: the digit's foot is three wide
    expect(pixel(drawn, 21, 101)).toEqual([214, 39, 40]);
    expect([22, 24, 26].map((x) => pixel(drawn, x, 110))).toEqual([
      [255, 255, 255],
      [255, 255, 255],
      [255, 255, 255],
    ]);
    expect(pixel(drawn, 22, 102)).toEqual([214, 39, 40]);
    for (const [x, y] of [
      [300, 140],
      [5, 5],
      [300, 800],
      [100, 430],
    ] as const)
      expect(pixel(drawn, x, y)).toEqual([200, 200, 200]);
  });

  test("a picture that is none is a capture that failed, and the next one is drawn", async () => {
    await expect(draw(Buffer.from("not a picture"), marksOf(TREE, SIZE))).rejects.toMatchObject({
      code: "CAPTURE_FAILED",
    });
    expect((await draw(grey(), [])).length).toBeGreaterThan(100);
  });

  test("an aborted signal ends it at once, with its reason", async () => {
    const stop = new AbortController();
    const drawing = draw(grey(), marksOf(TREE, SIZE), stop.signal);
    stop.abort(new Error("stop"));
    await expect(drawing).rejects.toThrow("stop");
    await expect(draw(grey(), [], stop.signal)).rejects.toThrow("stop");
  });
});
