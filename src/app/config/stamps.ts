import { lstatSync, type Stats, statSync } from "node:fs";

/** What changes when a file does: inode, size, and its two times in ms. A file that is not there has zeros. */
export type Stamp = readonly [ino: number, size: number, mtimeMs: number, ctimeMs: number];

export const stampOf = (stats: Stats | null): Stamp =>
  stats === null ? NONE : [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs];
const NONE: Stamp = [0, 0, 0, 0];

export const isEqual = (a: Stamp, b: Stamp): boolean => a.every((number, i) => number === b[i]);

/** Of what a path leads to; of a link that leads nowhere, of the link; null: there is nothing. */
export function statsOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Stamps by place, in 32 bytes each: there may be a hundred thousand. */
export class Stamps {
  #numbers = new Float64Array(4 * 64);
  #length = 0;

  get length(): number {
    return this.#length;
  }
  push([ino, size, mtimeMs, ctimeMs]: Stamp): void {
    const at = this.#length * 4;
    if (at === this.#numbers.length) {
      const more = new Float64Array(at * 2);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[at] = ino;
    this.#numbers[at + 1] = size;
    this.#numbers[at + 2] = mtimeMs;
    this.#numbers[at + 3] = ctimeMs;
    this.#length++;
  }
  at(place: number): Stamp {
    const at = place * 4;
    const numbers = this.#numbers;
    return [numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0];
  }
  isAt(place: number, [ino, size, mtimeMs, ctimeMs]: Stamp): boolean {
    const at = place * 4;
    const numbers = this.#numbers;
    return (
      place < this.#length &&
      numbers[at] === ino &&
      numbers[at + 1] === size &&
      numbers[at + 2] === mtimeMs &&
      numbers[at + 3] === ctimeMs
    );
  }
  /** all of them, in their order; not a copy */
  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#numbers.buffer, 0, this.#length * 32);
  }
  /** of such bytes, which it takes over */
  static of(bytes: Uint8Array<ArrayBuffer>): Stamps {
    const stamps = new Stamps();
    stamps.#numbers = new Float64Array(bytes.buffer);
    stamps.#length = bytes.byteLength / 32;
    return stamps;
  }
}
