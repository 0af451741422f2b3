import { readFileSync } from "node:fs";
import { PawlError } from "../../../domain/errors.ts";
import type { Fetch } from "../wire.ts";
import { differenceOf } from "./difference.ts";
import { normal } from "./normal.ts";
import { readTape, type Taped, type TapedAnswer } from "./tape.ts";

export interface Replay {
  /** Answers as it was answered then, part by part. Throws CASSETTE_MISMATCH or CASSETTE_BROKEN with the request's number. */
  readonly fetch: Fetch;
  /** Throws CASSETTE_MISMATCH where requests were recorded that nobody made. */
  readonly finish: () => void;
}

/** Plays a tape without a network. Equal requests are answered in the order in which they were recorded. */
export function replaying(file: string): Replay {
  const left = [...readTape(readFileSync(file, "utf8"), file)];
  let made = 0;
  return {
    async fetch(url, init = {}) {
      made++;
      const { asked } = normal(String(url), init);
      const fitting = left.filter((taped) => differenceOf(taped.asked, asked) === null);
      const found = fitting.find(isWhole) ?? fitting[0];
      if (found === undefined) throw misfit({ file, made, asked, next: left[0] });
      left.splice(left.indexOf(found), 1);
      if (found.failed !== undefined)
        throw Object.assign(new TypeError("fetch failed"), { cause: networkError(found.failed) });
      if (found.answered === undefined) throw unfinished(file, found.n);
      return answerOf(found.answered, init.signal ?? null);
    },
    finish() {
      const rest = left.filter(isWhole);
      if (rest.length > 0)
        throw mismatch(file, `${rest.length} of its requests were not made, the first of them is ${rest[0]!.n}`);
    },
  };
}

const isWhole = ({ answered, failed }: Taped): boolean => answered !== undefined || failed !== undefined;
const networkError = (code: string): Error => Object.assign(new Error(code), { code });

function misfit({
  file,
  made,
  asked,
  next,
}: {
  file: string;
  made: number;
  asked: Taped["asked"];
  next: Taped | undefined;
}): PawlError {
  if (next === undefined) return mismatch(file, `it ends before request ${made}`);
  const { path, before, now } = differenceOf(next.asked, asked)!;
  return mismatch(file, `request ${next.n} is another one: ${path} was ${before}, and is ${now}`, {
    request: next.n,
    path,
    before,
    now,
  });
}

const mismatch = (file: string, why: string, data: Record<string, unknown> = {}): PawlError =>
  new PawlError("CASSETTE_MISMATCH", `the cassette ${file} does not fit: ${why}`, {
    data,
    next: "record it anew, if what is asked was meant to change.",
  });

const unfinished = (file: string, n: number): PawlError =>
  new PawlError(
    "CASSETTE_BROKEN",
    `the cassette ${file} ends in the middle of request ${n}: its recording was interrupted`,
    {
      data: { request: n },
      next: "record it anew.",
    },
  );

function answerOf(
  { status, headers, body, base64, sizes, end }: TapedAnswer,
  signal: AbortSignal | null,
): Promise<Response> {
  if (status === 0) return neverOf(signal);
  const bytes = Buffer.from(body, base64 ? "base64" : "utf8");
  const ends = sizes.map((_, i) => sizes.slice(0, i + 1).reduce((sum, size) => sum + size, 0));
  const parts = ends.map((to, i) => bytes.subarray(to - sizes[i]!, to));
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = parts.shift();
      if (part !== undefined) return controller.enqueue(new Uint8Array(part));
      if (end === "done") return controller.close();
      if (end === "cut")
        return controller.error(Object.assign(new TypeError("terminated"), { cause: networkError("ECONNRESET") }));
      await neverOf(signal).catch((reason: unknown) => controller.error(reason));
    },
  });
  return Promise.resolve(new Response(stream, { status, headers }));
}

/** Nobody waited for the rest then: whoever does now waits until they are told to stop. */
const neverOf = (signal: AbortSignal | null): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(signal?.reason);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
  });
