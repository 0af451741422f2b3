import { once } from "node:events";
import { StringDecoder } from "node:string_decoder";
import { printable } from "../printable.ts";
import type { LegLog } from "./leg-logs.ts";
import { shortName } from "./leg-logs.ts";

type Out = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Puts the bytes of logs out: as they are in a pipe, without control characters on a terminal, line by line as JSON. */
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
  if (!of.json && !stdout.isTTY) return { take: write, end: async () => undefined };
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const shown = (line: string, from: LegLog): string =>
    of.json
      ? `${JSON.stringify({ task: of.task, run: shortName(from.run), leg: from.leg, text: line })}\n`
      : `${printable(line)}\n`;
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
      if (last !== "") await write(shown(last, from));
    },
  };
}
