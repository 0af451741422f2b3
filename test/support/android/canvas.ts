import { PNG } from "pngjs";

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Pixels to draw on in units of the screen that apps know, which may differ from those of the picture. */
export class Canvas {
  readonly #width: number;
  readonly #height: number;
  readonly #pixels: Uint32Array;
  readonly #scaleX: number;
  readonly #scaleY: number;

  constructor(picture: { width: number; height: number }, screen: { width: number; height: number }) {
    this.#width = picture.width;
    this.#height = picture.height;
    this.#pixels = new Uint32Array(picture.width * picture.height).fill(0xff000000);
    this.#scaleX = picture.width / screen.width;
    this.#scaleY = picture.height / screen.height;
  }

  /** `colour`: 0xRRGGBB */
  fill({ left, top, right, bottom }: Rect, colour: number): void {
    const abgr = (0xff000000 | ((colour & 255) << 16) | (colour & 0xff00) | (colour >> 16)) >>> 0;
    const [x1, x2] = [this.#x(left), this.#x(right)];
    for (let y = this.#y(top); y < this.#y(bottom); y++)
      this.#pixels.fill(abgr, y * this.#width + x1, y * this.#width + x2);
  }

  /** letters of 3 by 5 dots; what is no letter of ours is a block */
  write(text: string, at: { x: number; y: number }, colour: number, dot = 2): void {
    for (const [i, letter] of [...text.toLowerCase()].entries())
      for (let bit = 0; bit < 15; bit++)
        if (((LETTERS[letter] ?? 0x7fff) >> (14 - bit)) & 1) {
          const [left, top] = [at.x + (i * 4 + (bit % 3)) * dot, at.y + Math.floor(bit / 3) * dot];
          this.fill({ left, top, right: left + dot, bottom: top + dot }, colour);
        }
  }

  png(): Buffer {
    const picture = new PNG({ width: this.#width, height: this.#height });
    picture.data = Buffer.from(this.#pixels.buffer);
    return PNG.sync.write(picture, {
      deflateLevel: 1,
      deflateStrategy: 0,
      filterType: 0,
      colorType: 6,
      inputColorType: 6,
    });
  }

  #x(at: number): number {
    return Math.min(this.#width, Math.max(0, Math.round(at * this.#scaleX)));
  }
  #y(at: number): number {
    return Math.min(this.#height, Math.max(0, Math.round(at * this.#scaleY)));
  }
}

/** rows of three dots, top to bottom, as one number of 15 bits */
const LETTERS: Readonly<Record<string, number>> = {
  a: 0b010101111101101,
  b: 0b110101110101110,
  c: 0b011100100100011,
  d: 0b110101101101110,
  e: 0b111100110100111,
  f: 0b111100110100100,
  g: 0b011100101101011,
  h: 0b101101111101101,
  i: 0b111010010010111,
  j: 0b001001001101010,
  k: 0b101101110101101,
  l: 0b100100100100111,
  m: 0b101111111101101,
  n: 0b110101101101101,
  o: 0b010101101101010,
  p: 0b110101110100100,
  q: 0b010101101110011,
  r: 0b110101110101101,
  s: 0b011100010001110,
  t: 0b111010010010010,
  u: 0b101101101101111,
  v: 0b101101101101010,
  w: 0b101101111111101,
  x: 0b101101010101101,
  y: 0b101101010010010,
  z: 0b111001010100111,
  "0": 0b111101101101111,
  "1": 0b010110010010111,
  "2": 0b110001010100111,
  "3": 0b110001010001110,
  "4": 0b101101111001001,
  "5": 0b111100110001110,
  "6": 0b011100111101111,
  "7": 0b111001010010010,
  "8": 0b111101111101111,
  "9": 0b111101111001110,
  " ": 0,
  ".": 0b000000000000010,
  ",": 0b000000000010100,
  ":": 0b000010000010000,
  "-": 0b000000111000000,
  "/": 0b001001010100100,
};
