import { PawlError } from "../../../domain/errors.ts";
import type { Inbox } from "../../../ports/inbox.ts";
import type { Reader, Store } from "../../../ports/store.ts";
import type { ServerAddress } from "../address.ts";
import { bell } from "../bell.ts";
import { channelOf } from "./inbox.ts";
import { Link } from "./link.ts";
import { mustBeOf, type Project } from "./project.ts";
import { mustBeToday, mustFit, upToDate } from "./schema.ts";
import { serverReader, serverStore } from "./store.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface OpenOptions {
  /** make the schema and its tables where they are not there */
  readonly create: boolean;
  /** whose store it is to be; null: that is not looked at */
  readonly project: Project | null;
  /** where the address and its password may stand */
  readonly env: Env;
}

/**
 * The store in a schema of a PostgreSQL server, for whoever means to take the lease; brings it to today's format. Errors:
 * STORE_UNREACHABLE, CREDENTIAL_MISSING, CREDENTIAL_REFUSED, STORE_ADDRESS, STORE_UNFIT, STORE_DENIED, STORE_MISSING,
 * STORE_FOREIGN, STORE_CORRUPT, STORE_NEWER, STORE_HELD (an older format, and its holder still runs).
 */
export async function openServerStore(
  address: ServerAddress,
  { create, project, env }: OpenOptions,
): Promise<Store & Inbox> {
  const posted = bell();
  const writes = new Link(address, env);
  const hello = `LISTEN "${channelOf(writes.schema)}"`;
  const looks = new Link(address, env, { hello, notified: posted.ring });
  try {
    await mustFit(writes);
    if (!create) await mustBeThere(writes);
    await upToDate(writes);
    if (project) await mustBeOf(project, writes);
    return serverStore({ writes, looks }, { leaseMs: address.leaseMs, posted });
  } catch (error) {
    await Promise.all([writes.close(), looks.close()]);
    throw error;
  }
}

/** The same store for reading and for posting requests: never takes the lease, never commits. Same errors, STORE_OLDER too. */
export async function openServerReader(address: ServerAddress, env: Env): Promise<Reader & Inbox> {
  const link = new Link(address, env);
  try {
    await mustFit(link);
    await mustBeToday(link, () => noStore(link));
    return serverReader(link);
  } catch (error) {
    await link.close();
    throw error;
  }
}

async function mustBeThere(link: Link): Promise<void> {
  const [found] = await link.ask<{ readonly there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [
    `${link.schema}.versions`,
  ]);
  if (!found!.there) throw noStore(link);
}

const noStore = ({ shown }: Link): PawlError =>
  new PawlError("STORE_MISSING", `there is no store in ${shown}`, {
    next: "pawl run (makes a new one), or name the right database and schema",
    data: { made: "by pawl run" },
  });
