import { join } from "node:path";
import { packageRoot } from "./config/package-root.ts";

/** The command that runs this program, for drivers and for workers' `pawl …`. */
export const pawlCommand = (): readonly string[] => [process.execPath, join(packageRoot(), "dist", "cli.mjs")];
