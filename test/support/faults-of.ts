import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfiguration } from "../../src/app/config/reading.ts";
import type { PawlError } from "../../src/domain/errors.ts";
import { repository, write } from "./scratch.ts";

/** A repository whose configuration is written anew for each question. `close` takes it away. */
export function faultsRepository() {
  const root = mkdtempSync(join(tmpdir(), "pawl-test-"));
  const { repo } = repository({}, { at: root });
  const errorsOf = async (files: Readonly<Record<string, string>>): Promise<readonly PawlError[]> => {
    for (const path of ["pawl.yaml", "tasks", "roles", "phase-maps"])
      rmSync(join(repo, path), { recursive: true, force: true });
    write(repo, files);
    return (await readConfiguration({ repo, overrides: {}, every: true })).reading.errors;
  };
  return {
    repo,
    errorsOf,
    /** as CODE:FILE:LINE:COLUMN */
    faultsOf: async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
      (await errorsOf(files)).map(placed),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

const placed = ({ code, at }: PawlError): string =>
  [code, at.file, at.line, at.column].filter((part) => part !== undefined).join(":");
