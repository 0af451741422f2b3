import { keepEnds } from "../../workspace/commands/kept.ts";

/** The beginning and the end of an output: two fifths and three fifths of `maxBytes`. It never holds much more. */
export interface KeptOutput {
  push(chunk: Buffer): void;
  /** as text; where something is left out, it says how much */
  text(): string;
}

export function keepOutput(maxBytes: number): KeptOutput {
  const ends = keepEnds(maxBytes);
  return {
    push: ends.push,
    text() {
      const { head, tail, cut } = ends.read();
      if (cut === 0) return Buffer.concat([head, tail]).toString("utf8");
      return `${head.toString("utf8")}\n[${cut} bytes left out]\n${tail.toString("utf8")}`;
    },
  };
}
