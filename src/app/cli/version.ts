import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../config/package-root.ts";

/** The version of this program, as package.json has it. */
export function version(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { version: string };
  return version;
}
