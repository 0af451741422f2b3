import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import type { ServerAddress } from "../address.ts";
import { newClient, rowByRow } from "./driver.ts";
import { isLost, serverError } from "./server-error.ts";

/** For how long, and until when, something is asked again on a new connection. */
export interface Patience {
  /** ms from the first loss on; 0: not at all */
  readonly ms?: number;
  /** ends the asking at once, also one that is under way */
  readonly until?: AbortSignal;
  /** told before every try, 1 the first */
  readonly trying?: (n: number) => void;
}
export interface LinkOptions {
  /** runs on every new connection, before anything else */
  readonly hello?: string;
  /** somebody notified us */
  readonly notified?: () => void;
}
/** Asks on the connection that is there now; rows come as they are. */
export type Ask = <T>(text: string, values?: readonly unknown[]) => Promise<readonly T[]>;

const FIRST_PAUSE_MS = 25;
const MOST_PAUSE_MS = 500;
const GOODBYE_MS = 500;

/**
 * What every session of ours must have, whatever the server's or the role's defaults are: a commit is on the disk when it
 * is answered, and each statement sees what was committed before it.
 */
const SESSION = `SET default_transaction_isolation = 'read committed';
  SET client_min_messages = warning;
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

/**
 * One connection to a server, made at the first question and again after it was lost. Questions go one after the other.
 * Errors are PawlErrors (see server-error.ts). What is asked with patience is asked again after a loss, so it must be
 * something that may be asked twice.
 */
export class Link {
  readonly #address: ServerAddress;
  readonly #url: string;
  readonly #options: LinkOptions;
  readonly #closing = new AbortController();
  #client: Client | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(address: ServerAddress, env: Readonly<Record<string, string | undefined>>, options: LinkOptions = {}) {
    this.#address = address;
    this.#url = address.url(env);
    this.#options = options;
  }
  /** what people may see of where it goes */
  get shown(): string {
    return this.#address.shown;
  }
  /** the store's schema, as it stands in SQL */
  get schema(): string {
    return `"${this.#address.schema}"`;
  }
  /** aborts when the link is closed */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }
  ask<T>(text: string, values: readonly unknown[] = [], patience: Patience = {}): Promise<readonly T[]> {
    return this.#turn((client) => rowsOf<T>(client, text, values), patience);
  }
  /** the same, row by row; asked once */
  each(text: string, values: readonly unknown[], onRow: (row: unknown) => void): Promise<void> {
    return this.#turn((client) => rowByRow(client, { text, values }, onRow), {});
  }
  /** several questions with nobody in between, for a transaction; asked once */
  alone<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    return this.#turn((client) => work((text, values = []) => rowsOf(client, text, values)), {});
  }
  /** Ends what is under way too: wait for what has to be done before. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#drop();
    await this.#queue;
  }

  #turn<T>(work: (client: Client) => Promise<T>, patience: Patience): Promise<T> {
    const turn = this.#queue.then(() => this.#patiently(work, patience));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #patiently<T>(work: (client: Client) => Promise<T>, { ms = 0, until, trying }: Patience): Promise<T> {
    const end = performance.now() + ms;
    const over = (): boolean => (until?.aborted ?? false) || this.closed.aborted || performance.now() >= end;
    for (let n = 1; ; n++) {
      trying?.(n);
      try {
        return await this.#once(work, until);
      } catch (error) {
        if (!isLost(error) || over()) throw error;
        await pause(Math.min(FIRST_PAUSE_MS * 2 ** (n - 1), MOST_PAUSE_MS), undefined, { signal: until }).catch(
          () => {},
        );
      }
    }
  }

  async #once<T>(work: (client: Client) => Promise<T>, until: AbortSignal | undefined): Promise<T> {
    try {
      const ends = [this.closed, ...(until ? [until] : [])];
      return await unlessEnded(ends, async () => work(await this.#connected()));
    } catch (error) {
      const told = serverError(this.shown, error);
      if (isLost(told)) await this.#drop();
      throw told;
    }
  }

  async #connected(): Promise<Client> {
    if (this.#client) return this.#client;
    const client = await newClient(this.#url);
    // A connection that is lost while nothing is asked is made again by the next question.
    client.on("error", () => this.#forget(client));
    client.on("end", () => this.#forget(client));
    client.on("notification", () => this.#options.notified?.());
    this.#client = client;
    try {
      await client.connect();
      await client.query(`${SESSION}; ${this.#options.hello ?? ""}`);
      return client;
    } catch (error) {
      await this.#drop();
      throw error;
    }
  }

  #forget(client: Client): void {
    if (this.#client === client) this.#client = null;
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (client) await ended(client);
  }
}

/** Says goodbye, which ends what the client waits for; a server that does not take it is not waited for. */
async function ended(client: Client): Promise<void> {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection;
  const late = new AbortController();
  await Promise.race([
    client.end().catch(() => {}),
    pause(GOODBYE_MS, undefined, { signal: late.signal }).catch(() => {}),
  ]);
  late.abort();
  stream.destroy();
}

/** The work's end, or a lost connection as soon as one of the signals aborts: an answer may never come. */
function unlessEnded<T>(signals: readonly AbortSignal[], work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new Error("the connection was closed, since there was no time left"));
    const off = (): void => {
      for (const signal of signals) signal.removeEventListener("abort", stop);
    };
    if (signals.some((signal) => signal.aborted)) return stop();
    for (const signal of signals) signal.addEventListener("abort", stop, { once: true });
    work().then(resolve, reject).finally(off);
  });
}

async function rowsOf<T>(client: Client, text: string, values: readonly unknown[]): Promise<readonly T[]> {
  const { rows } = await client.query(text, [...values]);
  return rows as T[];
}
