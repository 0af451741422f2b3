import { resolve } from "node:path";
import { isServer } from "../../adapters/store/address.ts";

/** Where the store of a repository is, by what pawl.yaml says of it; nothing: in `.pawl/store.db`. */
export const storeIn = (repo: string, written: string | undefined): string =>
  written !== undefined && isServer(written) ? written : resolve(repo, written ?? ".pawl/store.db");
