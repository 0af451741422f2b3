import { once } from "node:events";
import { StringDecoder } from "node:string_decoder";
import { jsonText, printable } from "../printable.ts";
import type { LegLog } from "./leg-logs.ts";
import { shortName } from "./leg-logs.ts";

type Out = NodeJS.WritableStream & { readonly isTTY?: boolean };

/**
 * Puts the bytes of logs out, line by line, without control characters, or as JSON. In a pipe too: what is piped into a
 * file or a pager is shown on a terminal later. The bytes as they are lie in the run folder.
 */
export interface LogPrinter {
  take(bytes: Buffer, from: LegLog): Promise<void>;
  /** what stands without its newline at the end */
  end(from: LegLog): Promise<void>;
}

/** A line that goes on for longer is put out in parts. */
const LONGEST = 1024 * 1024;

export function logPrinter(stdout: Out, of: { readonly task: string; readonly json: boolean }): LogPrinter {
  const write = async (data: string | Buffer): Promise<void> => {
    // No bytes of a log are kept in memory for a reader that is slow.
    if (data.length > 0 && !stdout.write(data)) await once(stdout, "drain");
  };
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const shown = (line: string, from: LegLog): string =>
    of.json
      ? `${jsonText({ task: of.task, run: shortName(from.run), leg: from.leg, text: line })}\n`
      : `${plain(line)}\n`;
  const lines = (text: string, from: LegLog): string => {
    const all = (rest + text).split("\n");
    rest = all.pop()!;
    if (rest.length > LONGEST) {
      all.push(rest);
      rest = "";
    }
    return all.map((line) => shown(line, from)).join("");
  };
  return {
    take: (bytes, from) => write(lines(decoder.write(bytes), from)),
    async end(from) {
      const last = rest + decoder.end();
      rest = "";
      // a pipe gets no newline that is not in the log; a prompt on a terminal wants one
      const isOpen = !of.json && !stdout.isTTY;
      if (last !== "") await write(isOpen ? plain(last) : shown(last, from));
    },
  };
}

/** A progress bar goes back to the start of its line: each of its states is a line here. */
const plain = (line: string): string => printable(line.replace(/\r+$/, "").replace(/\r+/g, "\n"));
