import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import type { Fetch } from "../wire.ts";
import { masked } from "./mask.ts";
import { headersOf, normal } from "./normal.ts";
import { lineOf, readTape, type TapedAnswer } from "./tape.ts";

/**
 * A fetch that goes where it would have gone, and writes down what was asked and answered: the request before it is sent,
 * the answer when it has come to its end. What is there already stays, but for a torn last line. No key is written.
 */
export function recording(file: string, fetch: Fetch): Fetch {
  let n = begin(file);
  return async (url, init = {}) => {
    const { asked, hide } = normal(String(url), init);
    const number = ++n;
    appendFileSync(file, lineOf({ n: number, asked }));
    const end = (answered: TapedAnswer) => appendFileSync(file, lineOf({ n: number, answered }));
    try {
      const response = await fetch(url, init);
      const head = { status: response.status, headers: headersOf(response.headers, hide) };
      return overheard(response, (parts, how) =>
        end({ ...head, ...bodyOf(parts, (text) => masked(text, hide)), end: how }),
      );
    } catch (error) {
      if (init.signal?.aborted) end({ status: 0, headers: {}, body: "", sizes: [], end: "left" });
      else appendFileSync(file, lineOf({ n: number, failed: wordOf(error) }));
      throw error;
    }
  };
}

/** The number of the last request in the file, which is made where it is not there. */
function begin(file: string): number {
  if (!existsSync(file)) {
    writeFileSync(file, lineOf({ cassette: 1 }));
    return 0;
  }
  const bytes = readFileSync(file);
  const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  if (whole.length === 0) writeFileSync(file, lineOf({ cassette: 1 }));
  else if (whole.length < bytes.length) truncateSync(file, whole.length);
  return readTape(whole.toString("utf8"), file).at(-1)?.n ?? 0;
}

/** The same response; `told` once, when its body has ended, broke, or is not wanted any more. */
function overheard(
  response: Response,
  told: (parts: readonly Uint8Array[], how: TapedAnswer["end"]) => void,
): Response {
  const { status, headers } = response;
  if (response.body === null) {
    told([], "done");
    return response;
  }
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const read = await reader.read().catch((error: unknown) => {
        told(parts, (error as Error).name === "AbortError" ? "left" : "cut");
        throw error;
      });
      if (!read.done) {
        parts.push(read.value);
        return controller.enqueue(read.value);
      }
      told(parts, "done");
      controller.close();
    },
    async cancel(reason) {
      told(parts, "left");
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status, headers });
}

/** Where taking keys out changed how long it is, the whole counts as one part. */
function bodyOf(
  parts: readonly Uint8Array[],
  hide: (text: string) => string,
): Pick<TapedAnswer, "body" | "sizes" | "base64"> {
  const bytes = Buffer.concat(parts);
  const text = bytes.toString("utf8");
  const sizes = parts.map(({ length }) => length);
  if (!Buffer.from(text).equals(bytes))
    return { body: Buffer.from(hide(bytes.toString("latin1")), "latin1").toString("base64"), base64: true, sizes };
  const body = hide(text);
  return { body, sizes: body === text ? sizes : [Buffer.byteLength(body)] };
}

function wordOf(error: unknown): string {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    const { code } = one as { code?: unknown };
    if (typeof code === "string") return code;
  }
  return "ECONNRESET";
}
