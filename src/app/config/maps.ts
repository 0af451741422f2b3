import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { PhaseMap } from "../../domain/phase.ts";
import { readMap, type Vocabulary } from "./map-file.ts";
import { nearest, nearestFirst } from "./nearest.ts";
import { builtIn, packageRoot } from "./package-root.ts";
import { parseYaml, type Spot } from "./spot.ts";
import { readText } from "./text-file.ts";

/** A map that was looked for: found with or without faults. */
export interface FoundMap {
  /** its name in tasks and in the store: `default`, `auto`, `pawl.yaml` (in place), or the file's path */
  readonly name: string;
  readonly map: PhaseMap | null;
  readonly faults: readonly PawlError[];
  /** as it is written, where a person wrote it */
  readonly spot: Spot | null;
}

/** Maps by name or path; each is read once. */
export interface Maps {
  /** the map that pawl.yaml or a task file names, or why there is none */
  find(named: string): FoundMap | { readonly unknown: string; readonly next: string };
  /** a map that is written in pawl.yaml */
  inPlace(spot: Spot): FoundMap;
}

/** Looks in phase-maps/ of the repository first, then among those that come with Pawl. */
export function mapsOf(repo: string, words: Vocabulary): Maps {
  const read = new Map<string, FoundMap>();
  const once = (name: string, load: () => FoundMap): FoundMap => {
    const found = read.get(name) ?? load();
    read.set(name, found);
    return found;
  };
  return {
    find(named) {
      const file = fileOf(repo, named);
      if (file !== null) return once(file, () => fromFile(repo, file, file, words));
      if (builtIn("phase-maps").includes(named)) return once(named, () => builtInMap(named, words));
      const known = [
        ...mapFiles(repo).map((path) => path.replace(/^phase-maps\/|\.ya?ml$/g, "")),
        ...builtIn("phase-maps"),
      ];
      const meant = nearest(named, known);
      return {
        unknown: `no phase map is called "${named}" (known: ${nearestFirst(named, known).join(", ")})`,
        next: meant === null ? "name a built-in map, or a file." : `write "${meant}".`,
      };
    },
    inPlace: (spot) => {
      const map = readMap(spot, "pawl.yaml", words);
      return { name: "pawl.yaml", map, faults: [], spot };
    },
  };
}

/** Paths of the map files of a repository, from its root. */
export function mapFiles(repo: string): readonly string[] {
  try {
    const files = readdirSync(join(repo, "phase-maps")).filter(
      (file) => /\.ya?ml$/.test(file) && !file.startsWith("."),
    );
    return files.sort().map((file) => `phase-maps/${file}`);
  } catch {
    return [];
  }
}

function fileOf(repo: string, named: string): string | null {
  const inside = !named.startsWith("/") && !named.split("/").includes("..");
  const paths = /[/]|\.ya?ml$/.test(named)
    ? [named.replace(/^\.\//, "")]
    : [`phase-maps/${named}.yaml`, `phase-maps/${named}.yml`];
  return inside ? (paths.find((path) => existsSync(join(repo, path))) ?? null) : null;
}

function fromFile(root: string, file: string, name: string, words: Vocabulary): FoundMap {
  const text = readText(root, file);
  if (text instanceof PawlError) return { name, map: null, faults: [text], spot: null };
  const spot = parseYaml({ file, yaml: text });
  const map = spot.text.faults.length > 0 && spot.node === null ? null : readMap(spot, name, words);
  return { name, map, faults: spot.text.faults, spot };
}

/** Its faults are never in the map, but in what the repository has for it; they name no place in a file of Pawl's. */
function builtInMap(name: string, words: Vocabulary): FoundMap {
  const found = fromFile(packageRoot(), `phase-maps/${name}.yaml`, name, words);
  const faults = found.faults.map(
    (fault) =>
      new PawlError(
        fault.code,
        `map ${name} (built-in): ${fault.message}`,
        fault.next === null ? {} : { next: fault.next },
      ),
  );
  return { ...found, faults, spot: null };
}
