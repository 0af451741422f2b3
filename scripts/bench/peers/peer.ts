import { cpuMsOf } from "./cpu.ts";
import type { Ledger } from "./ledger.ts";

export const PHASES = 4;

/** What a side is given for one run of its own: nothing in it was used before. */
export interface Ground {
  /** an empty folder */
  readonly folder: string;
  /** an empty database of a server, or an empty Redis by its socket; null: this side needs none */
  readonly server: { readonly address: string; readonly pid: number } | null;
  /** where the peers are installed: their `node_modules` lies in it */
  readonly packages: string;
}

export interface Work {
  readonly tasks: number;
  /** steps at once */
  readonly inFlight: number;
  readonly ledger: Ledger;
  readonly ground: Ground;
}

/** From when the engine stands ready and all tasks are handed in until the end of the last one is durable. */
export interface Ran {
  readonly seconds: number;
  /** of the process that runs the engine */
  readonly cpuMs: number;
  /** of its server; 0: it has none */
  readonly serverMs: number;
}

/** An engine that carries every task through `PHASES` durable steps, each of which writes its line. */
export interface Peer {
  readonly name: string;
  /** npm packages with their versions, the engine first; none: Pawl itself */
  readonly packages: readonly string[];
  /** how it is set, in a line */
  readonly settings: string;
  readonly server: "postgres" | "redis" | null;
  run(work: Work): Promise<Ran>;
}

/** A watch that is started when all is handed in, and read at the end. */
export function startWatch({ server }: Ground): () => Ran {
  const serverAt = server ? cpuMsOf(server.pid) : 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  return () => {
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    return { seconds, cpuMs: (user + system) / 1_000, serverMs: server ? cpuMsOf(server.pid) - serverAt : 0 };
  };
}
