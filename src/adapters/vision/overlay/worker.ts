// The program of the thread that draws numbers on pictures: to take one apart and put it together takes too long to be
// done between two steps of everything else.
import { parentPort } from "node:worker_threads";
import { PNG } from "pngjs";
import type { Mark } from "../marks.ts";
import { drawMarks } from "./draw.ts";

export interface Order {
  readonly png: Uint8Array;
  readonly marks: readonly Mark[];
}
export type Drawn = { readonly png: Uint8Array } | { readonly why: string };

parentPort!.on("message", ({ png, marks }: Order) => {
  parentPort!.postMessage(drawn(png, marks));
});

function drawn(png: Uint8Array, marks: readonly Mark[]): Drawn {
  try {
    const canvas = PNG.sync.read(Buffer.from(png));
    drawMarks(canvas, marks);
    // one filter and the quickest packing: a model is sent it once
    return { png: PNG.sync.write(canvas, { filterType: 2, deflateLevel: 1 }) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}
