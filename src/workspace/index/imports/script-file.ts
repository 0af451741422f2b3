import { normal, type Places } from "./places.ts";

const EXTENSIONS = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"] as const;
/** What is written for what will be built from the source. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx"],
  ".mjs": [".mts", ".d.mts"],
  ".cjs": [".cts", ".d.cts"],
};

/** The script that a path without certainty means: as it is, with an ending, as a folder's index; null: none is there. */
export function scriptAt(places: Places, path: string | null): string | null {
  const clean = path === null ? null : normal(path);
  if (clean === null) return null;
  return candidates(clean).find((candidate) => places.has(candidate)) ?? null;
}

function candidates(path: string): readonly string[] {
  const [ending = ""] = /\.[cm]?jsx?$/.exec(path) ?? [];
  const stem = path.slice(0, path.length - ending.length);
  const index = path === "" ? "index" : `${path}/index`;
  return [
    ...(WRITTEN[ending] ?? []).map((written) => stem + written),
    ...(path === "" ? [] : [path, ...EXTENSIONS.map((extension) => path + extension)]),
    ...EXTENSIONS.map((extension) => index + extension),
  ];
}
