import { existsSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import { type PawlFile, pawlFile } from "./pawl-file.ts";
import { fault, parseYaml, type Spot } from "./spot.ts";
import { readText } from "./text-file.ts";

const PAWL_YAML = "pawl.yaml";

/** pawl.yaml alone, with what is wrong in it; one that is not there is a fault only where it `isExpected`. */
export function readPawlFile(
  repo: string,
  isExpected: boolean,
): { root: Spot; file: Partial<PawlFile>; errors: PawlError[] } {
  const isThere = existsSync(join(repo, PAWL_YAML));
  const text = isThere ? readText(repo, PAWL_YAML) : isExpected ? gone() : "";
  const root = parseYaml({ file: PAWL_YAML, yaml: text instanceof PawlError ? "" : text });
  return { root, file: pawlFile(root), errors: text instanceof PawlError ? [text] : [] };
}

const gone = (): PawlError =>
  fault("CONFIG_GONE", `${PAWL_YAML} is away: what it said last goes on`, {
    at: { file: PAWL_YAML },
    next: "put it back, or pawl stop and pawl run to go on without it.",
  });
