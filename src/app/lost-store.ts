import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isServer, shownAddress } from "../adapters/store/address.ts";
import { PawlError } from "../domain/errors.ts";
import { RUN_FILES } from "../protocol/run-folder.ts";

/** Runs without a store: somebody took it away, and an empty one would do everything again. Null: nothing is lost. */
export function lostStore({ store, state }: { readonly store: string; readonly state: string }): PawlError | null {
  const runs = join(state, "runs");
  if (isServer(store) || existsSync(store) || !hasRuns({ state })) return null;
  return lost(store, { state, runs });
}

/** The same for a store on a server, of which only the server can say that it is not there. */
export const lostOnServer = ({ store, state }: { readonly store: string; readonly state: string }): PawlError =>
  lost(`a store in ${shownAddress(store)}`, { state, runs: join(state, "runs") });

/** Null for a server that has no store yet and would be given one by `pawl run`; throws every other error. */
export function unlessNew(error: unknown): null {
  if (isNew(error)) return null;
  throw error;
}

export const isNew = (error: unknown): boolean =>
  error instanceof PawlError && error.code === "STORE_MISSING" && error.data.made === "by pawl run";

function lost(what: string, { state, runs }: { readonly state: string; readonly runs: string }): PawlError {
  const usual = join(state, "store.db");
  return new PawlError(
    "STORE_MISSING",
    `${what} is not there, but ${runs} holds runs of an earlier one: an empty store would do their work again`,
    {
      next: existsSync(usual)
        ? `${usual} is there: leave out --store, PAWL_STORE and store: of pawl.yaml`
        : `put the store back; or, to begin anew: mv ${state} ${state}.old && pawl run`,
    },
  );
}

/** Whether runs of this store or of an earlier one lie here; those of `pawl work` need none, and have no order. */
export function hasRuns({ state }: { readonly state: string }): boolean {
  const runs = join(state, "runs");
  return namesIn(runs).some((task) =>
    namesIn(join(runs, task)).some(
      (run) =>
        /^\d+-.+-a\d+$/.test(run) && (!/-work-a1$/.test(run) || existsSync(join(runs, task, run, RUN_FILES.order))),
    ),
  );
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
