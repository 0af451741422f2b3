import { PawlError } from "../../domain/errors.ts";

/** Where a store is, as `--store`, PAWL_STORE and `store:` of pawl.yaml come to it: a file, or a schema on a server. */
export type Address = { readonly kind: "file"; readonly path: string } | ServerAddress;

export interface ServerAddress {
  readonly kind: "server";
  /** what people may see of it: never the password, nor anything behind a `?` */
  readonly shown: string;
  /** for the driver, with its secrets; asked at the time of opening. Throws CREDENTIAL_MISSING, STORE_ADDRESS */
  url(env: Readonly<Record<string, string | undefined>>): string;
  /** the schema that holds the whole store: several projects in one database have one each */
  readonly schema: string;
  /** ms that a lease holds without being renewed */
  readonly leaseMs: number;
}

/** `postgres://…`, or the name of the variable that holds such an address: `postgres-env:NAME`. Both take `?schema=NAME`. */
const SERVER = /^(postgres(?:ql)?:\/\/|postgres-env:)/;
const LEASE_MS = 15_000;
/** Stands for the host that an address over a socket does not name: no URL could be read without one. */
const SOCKET = "socket.invalid";
const SCHEMA = /^(?!pg_)[a-z_][a-z0-9_]{0,47}$/;

export const isServer = (store: string): boolean => SERVER.test(store);

/** A store's address as text may be printed as it is, or so. */
export const shownAddress = (store: string): string => {
  const address = addressOf(store);
  return address.kind === "file" ? address.path : address.shown;
};

/** How pawl.yaml's `store: {postgres_env, schema}` is written as one text. */
export const serverFrom = (variable: string, schema: string | undefined): string =>
  `postgres-env:${variable}${schema === undefined ? "" : `?schema=${schema}`}`;

/** Reads the text of a store's address. Throws STORE_ADDRESS, without the text: it may hold a password. */
export function addressOf(store: string): Address {
  if (!isServer(store)) return { kind: "file", path: store };
  const [place = "", query = ""] = splitAt(store, "?");
  const own = new URLSearchParams(query);
  const schema = schemaNamed(own.get("schema") ?? "pawl");
  const leaseMs = Number(own.get("lease_ms") ?? LEASE_MS);
  for (const name of ["schema", "lease_ms"]) own.delete(name);
  const rest = own.size > 0 ? `?${own}` : "";
  const variable = place.startsWith("postgres-env:") ? place.slice("postgres-env:".length) : null;
  return {
    kind: "server",
    shown: `${variable ?? withoutSecrets(place)} (schema ${schema})`,
    url: (env) => (variable === null ? place + rest : fromVariable(variable, env)),
    schema,
    leaseMs: Number.isFinite(leaseMs) && leaseMs >= 100 ? leaseMs : LEASE_MS,
  };
}

const splitAt = (text: string, mark: string): readonly string[] => {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

function schemaNamed(name: string): string {
  if (SCHEMA.test(name)) return name;
  throw new PawlError("STORE_ADDRESS", `"${name}" cannot be the schema of a store`, {
    next: "write up to 48 small letters, digits and _, like pawl_shop",
  });
}

function withoutSecrets(url: string): string {
  const { protocol, username, host, pathname } = parsed(url, "the address of the store");
  return `${protocol}//${username === "" ? "" : `${username}@`}${host === SOCKET ? "" : host}${pathname}`;
}

function fromVariable(variable: string, env: Readonly<Record<string, string | undefined>>): string {
  const url = env[variable]?.trim() ?? "";
  if (url === "")
    throw new PawlError("CREDENTIAL_MISSING", `the store is on a server, and its address is not in ${variable}`, {
      next: `export ${variable}=postgres://USER:PASSWORD@HOST/DATABASE`,
    });
  parsed(url, variable);
  return url;
}

function parsed(url: string, what: string): URL {
  try {
    if (/^postgres(ql)?:\/\//.test(url)) return new URL(url.replace("@/", `@${SOCKET}/`));
  } catch {
    // Said below, and without what was written: a password may be in it.
  }
  throw new PawlError("STORE_ADDRESS", `${what} is no address of a PostgreSQL database`, {
    next: "write it like postgres://USER:PASSWORD@HOST:5432/DATABASE, with %40 for an @ in the password",
  });
}
