import { PawlError } from "../../../domain/errors.ts";
import type { Link } from "./link.ts";

/** Which repository a store belongs to: the commit that it begins with says so, in every clone of it. */
export interface Project {
  /** what a new store is marked with */
  readonly commit: string;
  /** whether that repository has such a commit */
  has(commit: string): Promise<boolean>;
}

/** Marks a new store. Throws STORE_FOREIGN where it belongs to another repository: its tasks are not these. */
export async function mustBeOf({ commit, has }: Project, link: Link): Promise<void> {
  const [row] = await link.ask<{ readonly value: string }>(
    `WITH marked AS (
       INSERT INTO ${link.schema}.meta VALUES ('project', $1) ON CONFLICT (key) DO NOTHING RETURNING value)
     SELECT value FROM marked UNION ALL SELECT value FROM ${link.schema}.meta WHERE key = 'project'`,
    [commit],
  );
  if (await has(row!.value)) return;
  throw new PawlError(
    "STORE_FOREIGN",
    `the store ${link.shown} belongs to another repository: one that begins with commit ${row!.value.slice(0, 12)}`,
    { next: "give this one a schema of its own: store: {postgres_env: NAME, schema: pawl_SHORT}" },
  );
}
