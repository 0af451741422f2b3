import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";

/** What a file says so that an editor checks it: the place is in every clone the same, and needs no network. */
export const SCHEMA_LINE = "# yaml-language-server: $schema=.pawl/schemas/pawl.schema.json";

/** Puts the schemas of this build into `.pawl/schemas`, where they are not the same already. */
export function putSchemas(state: string): void {
  const [from, to] = [join(packageRoot(), "schemas"), join(state, "schemas")];
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const isSame = existsSync(join(to, name)) && readFileSync(join(to, name)).equals(readFileSync(join(from, name)));
    if (!isSame) copyFileSync(join(from, name), join(to, name));
  }
}
