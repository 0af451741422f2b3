import { stripVTControlCharacters } from "node:util";
import type { EffectResult } from "../../domain/input.ts";
import type { Channel, Notice } from "../../ports/channel.ts";

/**
 * One line per notice: local time, task, event, text, without control characters. `now`: ms since 1970. A `write` that
 * throws (a closed pipe) is `later`: the line was not shown. Nothing is remembered: a notice told twice is shown twice.
 */
export function consoleChannel(write: (line: string) => void, now: () => number = Date.now): Channel {
  return {
    async notify(notice, { signal }): Promise<EffectResult> {
      if (signal.aborted) return notShown("the time for it was over before it was shown");
      try {
        write(lineOf(notice, new Date(now())));
        return { kind: "done", made: { what: "nothing" }, found: false };
      } catch (error) {
        return notShown(`the console could not be written: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

const notShown = (detail: string): EffectResult => ({ kind: "later", until: null, owner: "processor", detail });

function lineOf({ task, event, text }: Notice, at: Date): string {
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
  return `${time} ${task} ${event} ${plain(text)}`;
}

/** Agents and issues write these texts: nothing in them may move a cursor, colour a line or turn its direction. */
const plain = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();
