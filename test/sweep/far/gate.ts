import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Fate, Watch } from "../../support/forge-server/http.ts";
import { DIED } from "../kill.ts";
import { isWrite, nameOfRequest, type Request } from "./asked.ts";

/**
 * `before`: the request came, nothing is done, the processor dies. `after`: it is done, and the processor dies before it hears
 * of it. `late`: the processor dies, and it is done when the next one has had the same. `cut` and `bad-gateway`: it is done,
 * the connection ends or 502 is answered, and the processor lives.
 */
export type HttpMoment = "before" | "after" | "late" | "cut" | "bad-gateway";
export interface HttpTrigger {
  /** the name of a request and how many of that name there were, itself among them: `post:/pulls-2` */
  readonly key: string;
  readonly moment: HttpMoment;
}

interface GateOptions {
  /** of the trial: where processors leave their `life-N`, and where it is noted what they died of */
  readonly folder: string;
  readonly at: readonly HttpTrigger[];
  /** told of every request: its key, and `read` or `write` */
  asked(line: string): void;
  /** just before it is done, and when it is done */
  doing(request: Request): void;
  done(): void;
}

const EVERY_MS = 20;
/** after which what is late is done, whatever the next processor did: 5 s */
const MOST_LOOKS = 250;

/** Stands before a forge, and ends the processor at the requests of `at`. */
export function createGate({ folder, at, asked, doing, done }: GateOptions) {
  const came = createCounts();
  const answered = createCounts();
  let held = 0;
  let isOver = false;

  const watch: Watch = async (request) => {
    const name = nameOfRequest(request);
    const key = `${name}-${came.more(name)}`;
    asked(`${key} ${isWrite(request) ? "write" : "read"}`);
    const moment = at.find((one) => one.key === key)?.moment ?? null;
    if (moment === "before") return die(key, moment, "cut");
    held++;
    if (moment === "late") await late(key, name);
    doing(request);
    return () => {
      held--;
      done();
      answered.more(name);
      return moment === null ? "heard" : fateAt(key, moment);
    };
  };

  function fateAt(key: string, moment: HttpMoment): Fate {
    if (moment === "late") return "cut";
    if (moment === "after") return die(key, moment, "cut");
    appendFileSync(join(folder, DIED), `${key}@${moment}\n`);
    return moment === "cut" ? "cut" : "bad-gateway";
  }

  function die<T>(key: string, moment: HttpMoment, then: T): T {
    appendFileSync(join(folder, DIED), `${key}@${moment}\n`);
    kill(pidOf(folder, newestLife(folder)));
    return then;
  }

  async function late(key: string, name: string): Promise<void> {
    const life = newestLife(folder);
    const before = answered.of(name);
    die(key, "late", null);
    let looks = 0;
    while (!isOver && answered.of(name) === before && looks < MOST_LOOKS) {
      await pause(EVERY_MS);
      if (newestLife(folder) > life) looks++;
    }
  }

  return {
    watch,
    /** what is held is done now */
    async close(): Promise<void> {
      isOver = true;
      for (let looks = 0; held > 0 && looks < MOST_LOOKS; looks++) await pause(EVERY_MS);
    },
  };
}

function createCounts() {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  const more = (name: string): number => counts.set(name, of(name) + 1).get(name)!;
  return { of, more };
}

const newestLife = (folder: string): number =>
  Math.max(...readdirSync(folder).flatMap((name) => (/^life-\d+$/.test(name) ? [Number(name.slice(5))] : [])));

const pidOf = (folder: string, life: number): number => Number(readFileSync(join(folder, `life-${life}`), "utf8"));

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has gone by itself
  }
}
