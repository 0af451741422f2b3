import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Parsed, Parser, Source } from "../../ports/parser.ts";
import { decodeOutline } from "../../workspace/index/record.ts";
import type { Answer, Ready } from "./serve.ts";

export interface PoolOptions {
  /** the built program of a thread, an absolute path */
  readonly worker: string;
  /** the folder with the queries */
  readonly queries: string;
  /** how long one file may take; a thread that takes longer is ended (default 10 s) */
  readonly limitMs?: number;
  /** larger files are not parsed (default 4 MiB) */
  readonly maxBytes?: number;
  /** for tests: a module whose default sees each text first, as a file URL */
  readonly before?: string;
  /** threads (default: as many as there are cores, at most 8) */
  readonly threads?: number;
}

interface Job {
  readonly source: Source;
  readonly done: (parsed: Parsed) => void;
}

/** A thread, with what it was given: the first is what it is at. */
interface Lane {
  readonly worker: Worker;
  readonly jobs: Job[];
  timer: NodeJS.Timeout | undefined;
  /** it has started: what ends it from now on is a file's doing */
  isReady: boolean;
}

/** So that a thread never waits for its next file. */
const AHEAD = 3;
/** A thread that has not begun by then never will. */
const START_MS = 60_000;

/** Parses in threads. They start with the first file, and keep nobody from ending. */
export function parserPool(options: PoolOptions): Parser {
  const { limitMs = 10_000, maxBytes = 4 * 1024 * 1024, threads = Math.min(8, availableParallelism()) } = options;
  const waiting: Job[] = [];
  const lanes = new Set<Lane>();
  let closed = false;

  function open(): Lane {
    const worker = new Worker(options.worker, { workerData: { queries: options.queries, before: options.before } });
    const lane: Lane = { worker, jobs: [], timer: undefined, isReady: false };
    worker.unref();
    worker.on("message", (answer: Answer) => answered(lane, answer));
    worker.on("error", (error) => lost(lane, "crashed", error.message));
    worker.on("exit", (code) => lost(lane, "crashed", `its thread ended with ${code}`));
    lanes.add(lane);
    return lane;
  }

  function answered(lane: Lane, answer: Answer): void {
    if ("ready" in answer) {
      lane.isReady = true;
      return watch(lane);
    }
    const isBroken = "why" in answer && answer.why === "crashed";
    if (isBroken) return lost(lane, "crashed", answer.detail);
    const job = lane.jobs.shift();
    watch(lane);
    job?.done(parsedOf(answer));
    feed();
  }

  /** The file that it was at pays; what waited behind it goes to another thread. */
  function lost(lane: Lane, why: "crashed" | "time-limit", detail: string): void {
    if (!lanes.delete(lane)) return;
    clearTimeout(lane.timer);
    const [guilty, ...others] = lane.jobs.splice(0);
    waiting.unshift(...others);
    void lane.worker.terminate();
    guilty?.done({ kind: "failed", why: lane.isReady ? why : "stopped", detail });
    feed();
  }

  function watch(lane: Lane): void {
    clearTimeout(lane.timer);
    lane.timer = undefined;
    if (lane.jobs.length === 0) return lane.worker.unref();
    lane.worker.ref();
    const ms = lane.isReady ? limitMs : START_MS;
    lane.timer = setTimeout(() => lost(lane, "time-limit", `it took longer than ${ms} ms`), ms);
  }

  function feed(): void {
    while (waiting.length > 0 && !closed) {
      const lane = freest();
      if (lane === null) return;
      const job = waiting.shift()!;
      lane.jobs.push(job);
      lane.worker.postMessage(toSend(job.source));
      if (lane.jobs.length === 1) watch(lane);
    }
  }

  function freest(): Lane | null {
    let least: Lane | null = null;
    for (const lane of lanes) if (least === null || lane.jobs.length < least.jobs.length) least = lane;
    // A thread costs time before its first file: a few files are not worth a second one.
    if ((least === null || least.jobs.length >= AHEAD) && lanes.size < threads) return open();
    return least !== null && least.jobs.length < AHEAD ? least : null;
  }

  return {
    parse: (source) =>
      new Promise((done) => {
        if (closed) return done(STOPPED);
        if (source.bytes.length > maxBytes)
          return done({ kind: "failed", why: "too-big", detail: `it has more than ${maxBytes} bytes` });
        waiting.push({ source, done });
        feed();
      }),
    async close() {
      closed = true;
      const all = [...lanes];
      lanes.clear();
      for (const lane of all) clearTimeout(lane.timer);
      for (const { done } of [...all.flatMap(({ jobs }) => jobs), ...waiting.splice(0)]) done(STOPPED);
      await Promise.all(all.map(({ worker }) => worker.terminate()));
    },
  };
}

/** Copied, not handed over: another thread may need it, where this one is lost. A part of a larger buffer goes alone. */
const toSend = ({ bytes, ...source }: Source): Source => ({
  ...source,
  bytes: bytes.buffer.byteLength === bytes.byteLength ? bytes : bytes.slice(),
});

const STOPPED: Parsed = { kind: "failed", why: "stopped", detail: "the parser was closed" };

function parsedOf(answer: Exclude<Answer, Ready>): Parsed {
  if ("why" in answer) return { kind: "failed", why: answer.why, detail: answer.detail };
  return { kind: "parsed", outline: decodeOutline(answer.record)! };
}
