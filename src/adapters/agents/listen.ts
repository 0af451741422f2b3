import { join } from "node:path";
import type { OutputRead } from "../../protocol/output-format.ts";
import { outputReader } from "../../protocol/read-output.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import { plain } from "../../workspace/commands/plain.ts";
import type { DriverParts } from "./drive.ts";
import { json, readRecord, replaceFile } from "./files.ts";
import type { Drive, LegPlace } from "./leg.ts";

/** Listens to a program whose output has a declared format. */
export interface Listener {
  /** bytes of its stdout, as they come */
  hear(part: Buffer): void;
  /** what was read of it, also of a line that it did not end; its usage is written */
  end(): OutputRead;
}

/** null: its output is only kept. What it says that it spent is in usage.json, at most a second later. */
export function listenTo(of: { order: Drive; at: LegPlace; parts: DriverParts }): Listener | null {
  const format = of.order.program.output;
  if (format === undefined) return null;
  const reader = outputReader(format);
  const usage = usageFile(of);
  const lines = linesOf((bytes) => {
    reader.line(plain(bytes.toString("utf8")));
    usage.note(reader.read(), { now: false });
  });
  return {
    hear: lines.push,
    end() {
      lines.end();
      usage.note(reader.read(), { now: true });
      return reader.read();
    },
  };
}

/** Longer ones are no lines that anybody means to be read. */
const LONGEST = 4 * 1024 * 1024;

function linesOf(take: (line: Buffer) => void): { push(part: Buffer): void; end(): void } {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    size += part.length;
    if (size <= LONGEST) parts.push(part);
    else parts = [];
  };
  const end = () => {
    if (size > 0 && size <= LONGEST) take(Buffer.concat(parts));
    parts = [];
    size = 0;
  };
  return {
    push(part) {
      let from = 0;
      for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, from)) {
        add(part.subarray(from, at));
        end();
        from = at + 1;
      }
      add(part.subarray(from));
    },
    end,
  };
}

const EVERY_MS = 1_000;

/** Legs before this one of the same run have spent too. */
function usageFile({ at, parts }: { at: LegPlace; parts: DriverParts }) {
  const path = join(at.run, RUN_FILES.usage);
  const before = readRecord<{ cost_usd?: number; tokens?: number }>(path) ?? {};
  let written = "";
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    note({ tokens, costUsd }: OutputRead, { now }: { readonly now: boolean }): void {
      if (tokens === null && costUsd === null) return;
      const text = json({
        ...before,
        ...(tokens === null ? {} : { tokens: (before.tokens ?? 0) + tokens }),
        ...(costUsd === null ? {} : { cost_usd: (before.cost_usd ?? 0) + costUsd }),
      });
      const at = parts.clock.read().mono;
      if (text === written || (!now && at - writtenAt < EVERY_MS)) return;
      written = text;
      writtenAt = at;
      try {
        replaceFile(path, text);
      } catch {
        // a disk that is full: the next line, or its end, tells again
        written = "";
      }
    },
  };
}
