import { parentPort, workerData } from "node:worker_threads";
import type { Language, Source } from "../../ports/parser.ts";
import { definedNames } from "../../workspace/index/outline-rows.ts";
import { encodeOutline } from "../../workspace/index/record.ts";
import { nameWords, wordCounter } from "../../workspace/index/words.ts";
import { grammars, type Reader } from "./grammar.ts";
import { outlineOf } from "./outline.ts";

/** What a thread says first, and when it has loaded a grammar. */
export interface Ready {
  readonly ready: true;
}
/** What it says after that: one for each file that it was given, in that order. */
export type Answer =
  | Ready
  | { readonly record: Uint8Array }
  | { readonly why: "binary" | "crashed"; readonly detail: string };

/** Where a grammar broke, its memory is not to be trusted: this thread says so and ends. */
const BROKEN = 3;

/** Sees each text before it is parsed: a test's way to hang or crash. */
export type Before = (text: string) => void;

/** Answers what the pool asks for, as long as this thread is there. */
export function serve(before: Before = () => {}): void {
  const { queries } = workerData as { queries: string };
  const readerOf = grammars(queries);
  const count = wordCounter();
  const loaded = new Set<Language>();
  const decoder = new TextDecoder();
  const wordsIn = nameWords();
  const recordOf = (text: string, reader: Reader): Uint8Array => {
    before(text);
    const { words, counts: wordCounts, length } = count(text);
    const found = outlineOf(text, reader);
    return encodeOutline({ ...found, words, wordCounts, length, defined: wordsIn(definedNames(found)) });
  };
  let turn: Promise<unknown> = Promise.resolve();
  parentPort!.on("message", (source: Source) => {
    turn = turn.then(() => answer(source));
  });
  say({ ready: true });

  /** What a language costs once is not held against the first file that has it. */
  async function load(language: Language): Promise<Reader> {
    const reader = await readerOf(language);
    if (!loaded.has(language)) say({ ready: true });
    loaded.add(language);
    return reader;
  }

  async function answer({ language, bytes }: Source): Promise<void> {
    try {
      if (bytes.subarray(0, 8_000).includes(0)) return say({ why: "binary", detail: "it holds NUL bytes" });
      const reader = await load(language);
      say({ record: recordOf(decoder.decode(bytes), reader) });
    } catch (error) {
      say({ why: "crashed", detail: error instanceof Error ? error.message : String(error) });
      process.exit(BROKEN);
    }
  }
}

/** One run of bytes for a file: many small ones take longer to hand over than to make. */
function say(answer: Answer): void {
  parentPort!.postMessage(answer, "record" in answer ? [answer.record.buffer as ArrayBuffer] : []);
}
