import { createRequire } from "node:module";
import { join } from "node:path";

/** A peer's package, from where the peers are installed. Its types are not here: who loads it says what it uses of it. */
export const load = <T>(packages: string, name: string): T => createRequire(join(packages, "here.js"))(name) as T;
