import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createFile } from "../../adapters/agents/files.ts";

/** Makes a file and its folder: whole or not at all, also on a full disk. False: one is there, and stays as it is. */
export function newFile(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  return createFile(path, text);
}
