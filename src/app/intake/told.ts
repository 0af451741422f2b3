import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../adapters/agents/files.ts";
import type { IntakeSpec } from "../../ports/settings.ts";

/** What each issue was told last, as hashes of the words. What is lost of it is asked for at the forge again. */
export function createTold(state: string) {
  const path = join(state, "issues-told.json");
  const told = readTold(path);
  let isChanged = false;
  const keyOf = ({ kind, repo }: IntakeSpec, id: string): string => `${kind}:${repo}#${id}`;
  return {
    is: (spec: IntakeSpec, id: string, hash: string): boolean => told.get(keyOf(spec, id)) === hash,
    set(spec: IntakeSpec, id: string, hash: string): void {
      told.set(keyOf(spec, id), hash);
      isChanged = true;
    },
    /** durable when it returns */
    keep(): void {
      if (isChanged) replaceFile(path, `${JSON.stringify(Object.fromEntries(told), null, 1)}\n`);
      isChanged = false;
    },
  };
}

function readTold(path: string): Map<string, string> {
  try {
    const read = JSON.parse(readFileSync(path, "utf8")) as unknown;
    const entries = typeof read === "object" && read !== null && !Array.isArray(read) ? Object.entries(read) : [];
    return new Map(entries.filter((one): one is [string, string] => typeof one[1] === "string"));
  } catch {
    return new Map();
  }
}
