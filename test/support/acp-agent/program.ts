import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundle.ts";

const SOURCES = join(import.meta.dirname);
const CACHE = join(process.cwd(), "node_modules/.cache/pawl-fixtures");

let made: Promise<string> | null = null;
/** The agent as one file of JavaScript, made once for all test files as long as its sources stay. */
export function testAgent(): Promise<string> {
  made ??= madeOnce();
  return made;
}

async function madeOnce(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of [...readdirSync(SOURCES).sort(), "../../../package-lock.json"])
    hash.update(readFileSync(join(SOURCES, name)));
  const folder = join(CACHE, `acp-agent-${hash.digest("hex").slice(0, 16)}`);
  if (!existsSync(folder)) await make(folder);
  return join(folder, "acp-agent.mjs");
}

/** Whole or not at all: another test file may make it at the same time, and theirs is as good. */
async function make(folder: string): Promise<void> {
  const own = `${folder}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  await bundle({ "acp-agent": "test/support/acp-agent/agent.ts" }, own, ["@agentclientprotocol/sdk", "zod", "zod/v4"]);
  try {
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(own, { recursive: true, force: true });
  }
}
