import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isServer } from "../../../adapters/store/address.ts";
import { type Glance, glance, NOTHING_SEEN } from "../../../adapters/store/glance.ts";
import { builtIn, packageRoot } from "../../config/package-root.ts";
import { createContext, type Streams } from "../context.ts";
import { storePlace } from "../look/store-place.ts";
import { candidates, type Lookups } from "./candidates.ts";
import { fittingIds, openLabels, phasesOf } from "./fitting.ts";

/** The longest look into the store: a key was pressed, and a person waits. */
const LOOK_MS = 50;

/** Where words are completed. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly streams: Streams;
}

/** `pawl __complete WORD…`: what the last word may become, one a line. Says no error: a key that is pressed gets none. */
export async function complete(
  words: readonly string[],
  around: Surroundings = { cwd: process.cwd(), env: process.env, streams: process },
): Promise<void> {
  const found = await candidates(words, lookups(words, around)).catch(() => []);
  if (found.length > 0) around.streams.stdout.write(`${found.join("\n")}\n`);
}

function lookups(words: readonly string[], around: Surroundings): Lookups {
  const flags = { json: false, quiet: true, yes: false, color: false, ...named(words) };
  const ctx = createContext({ flags, options: {}, ...around });
  let seen: Promise<Glance> | null = null;
  const look = (): Promise<Glance> => {
    seen ??= storePlace(ctx).then(({ store }) => (isServer(store) ? NOTHING_SEEN : glance(store, LOOK_MS)));
    return seen;
  };
  const repo = flags.repo ?? around.env.PAWL_REPO ?? around.cwd;
  return {
    ids: async (command) => fittingIds(command, await look()),
    findings: async (task) => openLabels(task, await look()),
    phases: async (task) => phasesOf(task, await look()),
    files: () => namesIn(join(repo, "tasks"), /\.md$/),
    maps: () => [...namesIn(join(repo, "phase-maps"), /\.yaml$/), ...builtIn("phase-maps")],
    types: () => [repo, packageRoot()].flatMap((root) => namesIn(join(root, "patterns"), /\.yaml$/)),
  };
}

/** `--repo` and `--store`, as they were typed before. */
function named(words: readonly string[]): { readonly repo?: string; readonly store?: string } {
  const after = (flag: string): string | undefined => words[words.indexOf(flag) + 1];
  const given = (flag: string) => words.slice(0, -2).includes(flag);
  return {
    ...(given("--repo") ? { repo: after("--repo")! } : {}),
    ...(given("--store") ? { store: after("--store")! } : {}),
  };
}

function namesIn(folder: string, kind: RegExp): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => kind.test(name))
      .map((name) => name.replace(kind, ""));
  } catch {
    return [];
  }
}
