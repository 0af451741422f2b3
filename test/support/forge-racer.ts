import { once } from "node:events";
import { createLocalForge } from "../../src/adapters/forge/local.ts";
import type { ForgeTrace } from "../../src/ports/forge.ts";
import { testGit } from "./test-git.ts";

// A process of its own: waits for a line on stdin, then performs the intents that it was given, one after the other.
const { repo, intents } = JSON.parse(process.argv[2]!) as { repo: string; intents: ForgeTrace[] };
const forge = createLocalForge({ repo, git: testGit() });
const permit = { epoch: 1, signal: new AbortController().signal };
process.stdout.write("ready\n");
await once(process.stdin, "data");
const kinds: string[] = [];
for (const intent of intents) kinds.push((await forge.perform(intent, "Why", permit)).kind);
process.stdout.write(`${JSON.stringify(kinds)}\n`, () => process.exit(0));
