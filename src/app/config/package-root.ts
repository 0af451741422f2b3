import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package, from its sources and from dist/ alike: its maps and roles lie there as files. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "phase-maps", "default.yaml")) || !existsSync(join(folder, "package.json"))) {
    const above = dirname(folder);
    if (above === folder) throw new Error("the files of this installation are not complete: phase-maps/ is missing");
    folder = above;
  }
  return folder;
}

/** Names of the maps or roles that come with Pawl: `default`, `auto`; `implementer`, `verifier`, `reviewer`. */
export const builtIn = (kind: "phase-maps" | "roles"): readonly string[] =>
  readdirSync(join(packageRoot(), kind))
    .filter((file) => /\.(yaml|md)$/.test(file))
    .map((file) => file.replace(/\.(yaml|md)$/, ""));
