import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../domain/errors.ts";

/** Runs without a store: somebody took it away, and an empty one would do everything again. Null: nothing is lost. */
export function lostStore({ store, state }: { readonly store: string; readonly state: string }): PawlError | null {
  const runs = join(state, "runs");
  const usual = join(state, "store.db");
  if (existsSync(store) || !hasEntries(runs)) return null;
  return new PawlError(
    "STORE_MISSING",
    `${store} is not there, but ${runs} holds runs of an earlier one: an empty store would do their work again`,
    {
      next: existsSync(usual)
        ? `${usual} is there: leave out --store, PAWL_STORE and store: of pawl.yaml`
        : `put the store back; or, to begin anew: mv ${state} ${state}.old && pawl run`,
    },
  );
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}
