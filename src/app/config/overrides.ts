import { resolve } from "node:path";
import { isServer, shownAddress } from "../../adapters/store/address.ts";
import { PawlError } from "../../domain/errors.ts";

/** A value that did not come from a file, and where it came from. */
export interface Override<T> {
  readonly value: T;
  readonly from: string;
}

/** What flags and the environment say instead of pawl.yaml; the flag wins. */
export interface Overrides {
  /** absolute path, or the address of a server: with its password, so shown by shownAddress alone */
  readonly store?: Override<string>;
  /** command of the agent `default`, with `verdict: exit_code` */
  readonly agent?: Override<string>;
  readonly workers?: Override<number>;
  /** the model of workers whose agent names none */
  readonly model?: Override<string>;
}

/** Reads --store, --agent, --workers, PAWL_STORE, PAWL_AGENT and PAWL_MODEL. Throws USAGE and STORE_ADDRESS. */
export function overridesFrom(
  flags: {
    readonly store?: string | undefined;
    readonly agent?: string | undefined;
    readonly workers?: string | undefined;
  },
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Overrides {
  const store = pick("--store", flags.store, "PAWL_STORE", env);
  const agent = pick("--agent", flags.agent, "PAWL_AGENT", env);
  return {
    ...(store ? { store: { ...store, value: storePath(store, cwd) } } : {}),
    ...(agent ? { agent } : {}),
    ...(env.PAWL_MODEL ? { model: { value: env.PAWL_MODEL, from: "PAWL_MODEL" } } : {}),
    ...(flags.workers === undefined ? {} : { workers: { value: workersOf(flags.workers), from: "--workers" } }),
  };
}

function pick(
  flag: string,
  given: string | undefined,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Override<string> | null {
  if (given !== undefined && given.trim() === "")
    throw new PawlError("USAGE", `${flag} is empty`, { next: `name one: ${flag} VALUE` });
  const set = env[name]?.trim() ? env[name] : undefined;
  if (given !== undefined) return { value: given, from: flag };
  return set === undefined ? null : { value: set, from: name };
}

function storePath({ value, from }: Override<string>, cwd: string): string {
  if (isServer(value)) return shownAddress(value) && value;
  if (value.includes("://"))
    throw new PawlError("USAGE", `${from} names a server, and a store can be on a PostgreSQL server only`, {
      next: "write postgres://USER@HOST/DATABASE, or the path of a file.",
    });
  return resolve(cwd, value);
}

function workersOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new PawlError("USAGE", `--workers has to be a whole number from 1 to 9999, and is "${text}"`, {
    next: "pawl run --workers 4",
  });
}
