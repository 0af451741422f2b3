import type { Inbox } from "../../../ports/inbox.ts";
import type { Reader, Store } from "../../../ports/store.ts";
import type { Bell } from "../bell.ts";
import { committing } from "./commit.ts";
import { inbox } from "./inbox.ts";
import { leasing } from "./lease.ts";
import type { Link } from "./link.ts";
import { reading } from "./reader.ts";

/**
 * A store on two links, which it owns from now on: one commits and keeps the lease, one looks, so that a long look is in
 * nobody's way. Closing it releases its lease.
 */
export function serverStore(
  links: { readonly writes: Link; readonly looks: Link },
  { leaseMs, posted }: { readonly leaseMs: number; readonly posted: Bell },
): Store & Inbox {
  const lease = leasing(links.writes, leaseMs);
  return {
    ...reading(links.looks),
    ...inbox(links.looks, posted),
    lease: lease.lease,
    commit: committing(links.writes, lease),
    async close() {
      await lease.release();
      await Promise.all([links.writes.close(), links.looks.close()]);
    },
  };
}

/** The same without the lease and without commits. */
export const serverReader = (link: Link): Reader & Inbox => ({
  ...reading(link),
  ...inbox(link),
  close: () => link.close(),
});
