import type { Inbox } from "../../ports/inbox.ts";
import type { Reader, Store } from "../../ports/store.ts";
import type { Connection } from "./connection.ts";
import { committing } from "./sqlite-commit.ts";
import { inbox } from "./sqlite-inbox.ts";
import { leasing } from "./sqlite-lease.ts";
import { reading } from "./sqlite-reader.ts";

/** A store on an open connection, which it owns from now on: closing it releases its lease and closes the connection. */
export function sqliteStore(connection: Connection): Store & Inbox {
  const lease = leasing(connection);
  return {
    ...reading(connection),
    ...inbox(connection),
    lease: lease.lease,
    holder: async () => lease.holder(),
    commit: committing(connection, lease),
    async close() {
      lease.release();
      connection.close();
    },
  };
}

/** The same without the lease and without commits. */
export function sqliteReader(connection: Connection): Reader & Inbox {
  const { holder } = leasing(connection);
  return {
    ...reading(connection),
    ...inbox(connection),
    holder: async () => holder(),
    close: async () => connection.close(),
  };
}
