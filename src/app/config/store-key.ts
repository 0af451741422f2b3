import { isMap } from "yaml";
import { addressOf, serverFrom } from "../../adapters/store/address.ts";
import { PawlError } from "../../domain/errors.ts";
import { type Decode, line, record } from "./decode.ts";
import { missingKey } from "./missing-key.ts";
import { either, schemaOf, shaped, TEXT } from "./schema-of.ts";
import { nodeOf, noteFault, type Spot } from "./spot.ts";

/** `store:` as an address: a path, or {postgres_env: VARIABLE, schema: NAME} for a schema on a server. */
export const storeKey = (variable: Decode<string>): Decode<string> =>
  shaped(
    () => either(TEXT, schemaOf(serverKeys(variable))),
    (spot: Spot) => {
      if (isMap(nodeOf(spot))) return server(spot, variable);
      const path = line(spot);
      if (path === undefined || !path.includes("://")) return path;
      noteFault(
        spot,
        "TYPE_BAD",
        `${spot.path} holds an address, and with it perhaps a password, in a file for everybody`,
        {
          next: "write store: {postgres_env: PAWL_DATABASE_URL}, and put the address into that variable.",
        },
      );
      return undefined;
    },
  );

const serverKeys = (variable: Decode<string>) => record({ postgres_env: variable, schema: schemaName });

function server(spot: Spot, variable: Decode<string>): string | undefined {
  const entry = serverKeys(variable)(spot);
  if (entry === undefined) return undefined;
  if (entry.postgres_env !== undefined) return serverFrom(entry.postgres_env, entry.schema);
  return missingKey(spot, "postgres_env", `${spot.path} needs postgres_env: the variable that holds its address`, {
    next: "write store: {postgres_env: PAWL_DATABASE_URL}.",
  });
}

const schemaName: Decode<string> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const name = line(spot);
    if (name === undefined) return undefined;
    try {
      addressOf(serverFrom("X", name));
      return name;
    } catch (error) {
      if (!(error instanceof PawlError)) throw error;
      noteFault(spot, "STORE_ADDRESS", error.message, error.next === null ? {} : { next: error.next });
      return undefined;
    }
  },
);
