import { type Outline, WIDTH } from "../../ports/parser.ts";

/** Goes up when what stands in a record changes its meaning: older ones are then made again. */
export const RECORD_VERSION = 3;

const HEAD = 9;

/** Records that outlines were read from: they are not written again. */
const written = new WeakMap<Outline, Uint8Array>();

/** An outline as one run of bytes, its length a multiple of four. */
export const encodeOutline = (outline: Outline): Uint8Array => written.get(outline) ?? encoded(outline);

function encoded(outline: Outline): Uint8Array {
  const module = new TextEncoder().encode(outline.module);
  const texts = new TextEncoder().encode(outline.texts);
  const { definitions, references, imports, words, defined, wordCounts } = outline;
  const columns = [definitions, references, imports, words, defined];
  const head = Uint32Array.of(
    definitions.length,
    references.length,
    imports.length,
    words.length,
    defined.length,
    outline.lines,
    outline.length,
    module.length,
    texts.length,
  );
  const numbers = HEAD + columns.reduce((sum, { length }) => sum + length, 0);
  const size = numbers * 4 + wordCounts.length * 2 + module.length + texts.length;
  const bytes = new Uint8Array(Math.ceil(size / 4) * 4);
  let at = 0;
  for (const part of [head, ...columns, wordCounts, module, texts]) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return bytes;
}

/** The outline in a record, which it looks into and does not copy; null: these bytes are no record. */
export function decodeOutline(bytes: Uint8Array): Outline | null {
  if (bytes.byteLength < HEAD * 4 || bytes.byteLength % 4 !== 0) return null;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const all = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const sizes = [...all.subarray(0, HEAD)] as Sizes;
  const [definitions, references, imports, words, defined, lines, length, moduleSize, textSize] = sizes;
  const numbers = HEAD + definitions + references + imports + words + defined;
  const textAt = numbers * 4 + words * 2;
  if (Math.ceil((textAt + moduleSize + textSize) / 4) !== all.length || !isWhole(sizes)) return null;
  let at = HEAD;
  const column = (size: number): Uint32Array => {
    at += size;
    return all.subarray(at - size, at);
  };
  const text = (from: number, size: number): string => decoder.decode(aligned.subarray(from, from + size));
  const outline: Outline = {
    definitions: column(definitions),
    references: column(references),
    imports: column(imports),
    words: column(words),
    defined: column(defined),
    wordCounts: new Uint16Array(aligned.buffer, aligned.byteOffset + numbers * 4, words),
    module: text(textAt, moduleSize),
    // Read when it is asked for: most files of a repository are never looked at.
    get texts() {
      return text(textAt + moduleSize, textSize);
    },
    lines,
    length,
  };
  written.set(outline, aligned);
  return outline;
}

type Sizes = [number, number, number, number, number, number, number, number, number];

const decoder = new TextDecoder();

const isWhole = ([definitions, references, imports]: readonly number[]): boolean =>
  definitions! % WIDTH.definitions === 0 && references! % WIDTH.references === 0 && imports! % WIDTH.imports === 0;
