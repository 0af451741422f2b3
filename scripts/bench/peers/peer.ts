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
  /** to be called when the end of the last task is durable */
  ended(): void;
}

/** An engine that carries every task through `PHASES` durable steps, each of which writes its line. */
export interface Peer {
  readonly name: string;
  /** npm packages with their versions, the engine first; none: Pawl itself */
  readonly packages: readonly string[];
  /** how it is set, in a line */
  readonly settings: string;
  readonly server: "postgres" | "redis" | null;
  /** hands in all tasks, then starts; resolves when all is ended and closed */
  run(work: Work): Promise<void>;
}
