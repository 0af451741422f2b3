import type { Inbox } from "../../ports/inbox.ts";
import type { Reader, Store } from "../../ports/store.ts";
import { addressOf } from "./address.ts";
import * as file from "./open.ts";
import type { Project } from "./postgres/project.ts";

/**
 * The store at an address (a path, `postgres://…`, `postgres-env:NAME`), for whoever means to take the lease. `create`
 * makes it where it is not there; `project`: whose it is to be, where a server holds several. Errors: those of open.ts and
 * of postgres/open.ts. What a server needs is loaded for a server alone.
 */
export async function openStore(
  store: string,
  { create = false, project = null }: { create?: boolean; project?: Project | null } = {},
): Promise<Store & Inbox> {
  const address = addressOf(store);
  if (address.kind === "file") return file.openStore(address.path, { create });
  const { openServerStore } = await import("./postgres/open.ts");
  return openServerStore(address, { create, project, env: process.env });
}

/** The same store for reading and for posting requests: never takes the lease, never commits. */
export async function openReader(store: string): Promise<Reader & Inbox> {
  const address = addressOf(store);
  if (address.kind === "file") return file.openReader(address.path);
  const { openServerReader } = await import("./postgres/open.ts");
  return openServerReader(address, process.env);
}
