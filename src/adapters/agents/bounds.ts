import { join } from "node:path";
import type { Ms } from "../../domain/names.ts";
import { LEG_FILES, RUN_FILES } from "../../protocol/run-folder.ts";
import type { DriverParts } from "./drive.ts";
import { readRecord } from "./files.ts";
import { countGateTime } from "./gate-time.ts";
import { type Drive, fileMark, type LegPlace, names, readStop } from "./leg.ts";
import type { Output } from "./output.ts";
import type { ProcessEnd } from "./process.ts";
import { startPulse } from "./pulse.ts";

export type Reason = Pick<ProcessEnd, "ending" | "why">;

/** What ends a leg that does not end by itself: a request to stop, its wall limit, or that nothing in it moves. */
export interface Bounds {
  /** how long it waited at gates so far */
  gateMs(): Ms;
  /** the first reason there is, or null; `stallMs` null: silence is no reason */
  passed(stallMs: Ms | null): Promise<Reason | null>;
  close(): void;
}

/** The wall limit counts monotonic time from now on, so neither a corrected clock nor a sleeping machine ends a worker. */
export function startBounds(of: {
  order: Drive;
  at: LegPlace;
  /** messages of the inbox that were given to a leg before it */
  earlier: ReadonlySet<string>;
  output: Output;
  parts: DriverParts;
}): Bounds {
  const { order, at, earlier, parts } = of;
  const since = parts.clock.read().mono;
  const extended = countExtensions(at, earlier);
  const pulse = startPulse(of);
  const gates = countGateTime(at, parts.clock);
  let told = false;
  const tell = () => {
    told = true;
  };
  for (const signal of SIGNALS) process.on(signal, tell);
  return {
    async passed(stallMs) {
      const asked = told ? { why: "stopped" } : readStopped(at);
      if (asked) return { ending: "stopped", why: asked.why };
      if (gates.waits()) return null;
      const limit = order.wish.wallMs + extended();
      if (parts.clock.read().mono - since - gates.total() >= limit) return { ending: "timeout", why: timedOut(limit) };
      if (stallMs !== null && (await pulse.stillFor()) >= stallMs) {
        return { ending: "stalled", why: `no sign of life for ${minutes(stallMs)} minutes` };
      }
      return null;
    },
    gateMs: gates.total,
    close: () => {
      for (const signal of SIGNALS) process.off(signal, tell);
    },
  };
}
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export const timedOut = (limit: Ms): string => `timed out after ${minutes(limit)} of ${minutes(limit)} minutes`;

/** Whole minutes where it is some; below that two digits that say something. */
export const minutes = (ms: Ms): string =>
  ms >= 600_000 ? String(Math.round(ms / 60_000)) : String(Number((ms / 60_000).toPrecision(2)));

const readStopped = (at: LegPlace) =>
  fileMark(join(at.folder, LEG_FILES.stop)) === null ? null : (readStop(at) ?? { why: "stopped" });

/** Names of the messages in a run's inbox. */
export const messagesIn = (at: LegPlace): ReadonlySet<string> => new Set(names(join(at.run, RUN_FILES.inbox)));

/** EXTEND messages that came to this leg, in ms together. */
function countExtensions(at: LegPlace, earlier: ReadonlySet<string>): () => Ms {
  const inbox = join(at.run, RUN_FILES.inbox);
  let mark: string | null = null;
  let sum = 0;
  return () => {
    const now = fileMark(inbox);
    if (now === mark) return sum;
    mark = now;
    sum = names(inbox)
      .filter((name) => name.endsWith("-EXTEND.json") && !earlier.has(name))
      .reduce((total, name) => total + extension(join(inbox, name)), 0);
    return sum;
  };
}

function extension(path: string): Ms {
  const message = readRecord<{ message_type?: unknown; minutes?: unknown }>(path);
  const given = message?.message_type === "EXTEND" ? message.minutes : 0;
  return typeof given === "number" && given > 0 ? given * 60_000 : 0;
}
