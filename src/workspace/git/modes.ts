import type { Listing } from "./listing.ts";
import type { Shadowed } from "./shadow-folder.ts";

/** A file whose bits change again in the second of its last change is not seen to, by git, which counts in seconds. */
const FRESH_MS = 2_000;

/**
 * The permission bits of the listed files. All are asked for when the listing is another one, which it is when a file was
 * but touched; else only those that had changed a moment before. As long as nothing changed it is the same map.
 */
export function modesKeeper({ on, dir }: Shadowed): (listing: Listing) => ReadonlyMap<string, number> {
  let of: Listing | null = null;
  let modes = new Map<string, number>();
  let fresh: string[] = [];
  let since = 0;
  const modeOf = (path: string) => on.files.stat(`${on.top}/${path}`);
  function all(listing: Listing): void {
    const from = on.files.stat(`${dir}/index`).changedMs - FRESH_MS;
    const now = new Map<string, number>();
    fresh = [];
    since = performance.now();
    for (const path of listing.files) {
      const { kind, mode, changedMs } = modeOf(path);
      if (kind !== "file") continue;
      now.set(path, mode);
      if (changedMs >= from) fresh.push(path);
    }
    [of, modes] = [listing, now];
  }
  function again(): void {
    const changed = fresh
      .map((path) => [path, modeOf(path).mode] as const)
      .filter(([path, is]) => is !== modes.get(path));
    if (changed.length > 0) modes = new Map([...modes, ...changed]);
    if (performance.now() - since > FRESH_MS) fresh = [];
  }
  return (listing) => {
    if (listing === of) again();
    else all(listing);
    return modes;
  };
}
