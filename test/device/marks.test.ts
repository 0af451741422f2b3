import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Trajectory, trajectorySchema } from "../../src/device/trajectory.ts";
import { type Android, startAndroid } from "../support/android/android.ts";
import { commandLine } from "../support/command-line.ts";
import type { Asked } from "../support/model-server/script.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { suiteNeeding } from "../support/needs.ts";
import { repository, scratch } from "../support/scratch.ts";
import { adbHere } from "./support/adb-here.ts";
import { withBrowser } from "./support/needs-browser.ts";
import { startWebShop } from "./support/web-shop.ts";

/** An element's edges, in pixels of the picture. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => ({ text: "" }), { keys: null });
});
afterAll(() => server.close());

const lastOf = ({ turns }: Asked) => {
  const turn = turns.at(-1)!;
  if (turn.role !== "user") throw new Error(`the last turn is of ${turn.role}`);
  return turn;
};

/** The number that the model is told to be drawn on what has this name; 0: there is none. */
const markOf = (name: string, asked: Asked): number =>
  Number(new RegExp(`^(\\d+) .*"${name}`, "im").exec(lastOf(asked).text)?.[1] ?? "0");

/** What it taps, by their numbers. */
const TAPPED = ["find", "red kettle"];

/** `pawl device run --marks` with a model that taps numbers: what the model saw, and what was kept. */
async function tapByMark(target: string, env: Readonly<Record<string, string | undefined>>) {
  const asked: Asked[] = [];
  server.script((request) => {
    asked.push(request);
    const name = TAPPED[asked.length - 1];
    const action = name ? { action: "tap", mark: markOf(name, request) } : { action: "FINISH", reason: "found" };
    return { text: JSON.stringify(action) };
  });
  const yaml = `models: {eyes: {provider: openai-compatible, base_url: "${server.url}/v1", model: m, dialect: pawl}}\n`;
  const { repo } = repository({ "pawl.yaml": yaml });
  const known = { ...env, XDG_STATE_HOME: scratch() } as Record<string, string>;
  const ran = await commandLine(repo, ["device", "run", "search", "--on", target, "--marks"], known);
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining("FINISH")]);
  const runs = join(repo, ".pawl", "runs");
  const folder = join(runs, readdirSync(runs)[0]!);
  const kept: Trajectory = trajectorySchema.parse(JSON.parse(readFileSync(join(folder, "trajectory.json"), "utf8")));
  const plain = PNG.sync.read(readFileSync(join(folder, kept.steps[0]!.screenshot)));
  const marked = PNG.sync.read(Buffer.from(lastOf(asked[0]!).pictures!.at(-1)!.bytes));
  return { asked, kept, plain, marked };
}

const pixel = ({ width, data }: PNG, x: number, y: number): string =>
  data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).toString("hex");

/** Pixels from (left, top) to (right, bottom) that differ, as a share of them. */
function differing(one: PNG, other: PNG, { left, top, right, bottom }: Box): number {
  let n = 0;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) if (pixel(one, x, y) !== pixel(other, x, y)) n++;
  return n / ((right - left) * (bottom - top));
}

/** The frame is drawn along the edges; beyond its number's plate the inside is as it was, and what lies around is, too. */
function expectMarked(plain: PNG, marked: PNG, box: Box): void {
  const { left, top, right, bottom } = box;
  expect([marked.width, marked.height]).toEqual([plain.width, plain.height]);
  expect(differing(plain, marked, { ...box, bottom: top + 1 })).toBe(1);
  expect(differing(plain, marked, { ...box, top: bottom - 1 })).toBe(1);
  expect(differing(plain, marked, { ...box, left: right - 1 })).toBe(1);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  expect(differing(plain, marked, { left: x, top: y, right: right - 10, bottom: bottom - 10 })).toBe(0);
  expect(differing(plain, marked, { left, top: bottom + 1, right, bottom: bottom + 20 })).toBe(0);
  expect(differing(plain, marked, { left, top: top - 20, right, bottom: top - 1 })).toBe(0);
}

withBrowser("marks in a browser", (executable) => {
  let shop: Awaited<ReturnType<typeof startWebShop>>;
  beforeAll(async () => {
    shop = await startWebShop();
  });
  afterAll(() => shop?.close());

  test("the model's request has the page with a frame on each element, and a tap by number lands on it", async () => {
    const { asked, kept, plain, marked } = await tapByMark(`browser:${shop.url}`, { PAWL_BROWSER: executable });
    expectMarked(plain, marked, { left: 322, top: 40, right: 402, bottom: 90 });
    expect(kept.steps[0]!.result.at).toEqual([[362, 65]]);
    expect(lastOf(asked[0]!).text).toMatch(/^\d+ button "find"$/m);
    expect(lastOf(asked[1]!).text).toMatch(/^\d+ button "find 1"$/m);
    // a row is none by its role, and hears taps all the same
    expect(lastOf(asked[2]!).text).toContain('textbox "Note to the seller"');
  });
});

suiteNeeding({ program: "adb", debianPackage: "adb", works: adbHere() }, "marks on a phone", () => {
  let android: Android;
  beforeAll(async () => {
    android = await startAndroid();
  });
  afterAll(() => android?.close());

  test("the model's request has the screen with a frame on each element, and a tap by number lands on it", async () => {
    android.phone.reset();
    const { kept, plain, marked } = await tapByMark(android.target, android.server.env);
    expectMarked(plain, marked, { left: 270, top: 40, right: 350, bottom: 90 });
    expect(kept.steps[0]!.result.at).toEqual([[310, 65]]);
    expect(android.phone.deeds[0]).toEqual({ kind: "tap", x: 310, y: 65 });
    expect([android.phone.shop.pressed.taps, android.phone.shop.page()]).toEqual([1, "red kettle"]);
  });
});
