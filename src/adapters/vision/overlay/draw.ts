import type { Mark } from "../marks.ts";

/** A picture of four bytes a pixel: red, green, blue, and how much it covers. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}
type Colour = readonly [number, number, number];
type Bounds = Mark["bounds"];

/** Colours that are told apart on light and dark screens, one after the other. */
const COLOURS: readonly Colour[] = [
  [214, 39, 40],
  [31, 119, 180],
  [44, 160, 44],
  [148, 103, 189],
  [227, 119, 0],
  [0, 128, 128],
];
const WHITE: Colour = [255, 255, 255];

/** Each digit in five rows of three: 1 is ink. */
const DIGITS: readonly string[] = [
  "111101101101111",
  "010110010010111",
  "111001111100111",
  "111001111001111",
  "101101111001001",
  "111100111001111",
  "111100111101111",
  "111001001001001",
  "111101111101111",
  "111101111001111",
];

/** Draws a frame around each element, and its number on a plate in the frame's corner. Changes the canvas. */
export function drawMarks(canvas: Canvas, marks: readonly Mark[]): void {
  const unit = Math.max(1, Math.round(canvas.width / 270));
  for (const { number, bounds } of marks) {
    const colour = COLOURS[(number - 1) % COLOURS.length]!;
    drawFrame(canvas, bounds, { thick: Math.max(1, Math.ceil(unit / 2)), colour });
  }
  // above all frames, as elements lie in one another
  for (const { number, bounds } of marks)
    drawNumber(canvas, number, { bounds, unit, colour: COLOURS[(number - 1) % COLOURS.length]! });
}

function drawFrame(canvas: Canvas, { left, top, right, bottom }: Bounds, of: { thick: number; colour: Colour }): void {
  const { thick, colour } = of;
  fill(canvas, { left, top, right, bottom: top + thick }, colour);
  fill(canvas, { left, top: bottom - thick, right, bottom }, colour);
  fill(canvas, { left, top, right: left + thick, bottom }, colour);
  fill(canvas, { left: right - thick, top, right, bottom }, colour);
}

function drawNumber(canvas: Canvas, number: number, of: { bounds: Bounds; unit: number; colour: Colour }): void {
  const { unit, colour } = of;
  const digits = [...String(number)];
  const [width, height] = [(digits.length * 4 + 1) * unit, 7 * unit];
  const left = Math.min(of.bounds.left, canvas.width - width);
  const top = Math.min(of.bounds.top, canvas.height - height);
  fill(canvas, { left, top, right: left + width, bottom: top + height }, colour);
  digits.forEach((digit, i) => {
    drawDigit(canvas, DIGITS[Number(digit)]!, { left: left + (1 + i * 4) * unit, top: top + unit, unit });
  });
}

function drawDigit(
  canvas: Canvas,
  rows: string,
  { left, top, unit }: { left: number; top: number; unit: number },
): void {
  [...rows].forEach((ink, i) => {
    if (ink !== "1") return;
    const [x, y] = [left + (i % 3) * unit, top + Math.floor(i / 3) * unit];
    fill(canvas, { left: x, top: y, right: x + unit, bottom: y + unit }, WHITE);
  });
}

/** What lies outside of the canvas is left out. */
function fill({ width, height, data }: Canvas, bounds: Bounds, [red, green, blue]: Colour): void {
  const left = Math.max(0, Math.round(bounds.left));
  const right = Math.min(width, Math.round(bounds.right));
  for (let y = Math.max(0, Math.round(bounds.top)); y < Math.min(height, Math.round(bounds.bottom)); y++)
    for (let x = left; x < right; x++) data.set([red, green, blue, 255], (y * width + x) * 4);
}
