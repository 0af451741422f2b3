/** Where things lie in a tree; paths are parted by `/`, a folder's has none at its end, the root is empty. */
export interface Places {
  has(path: string): boolean;
  /** files right in a folder, in order */
  inFolder(folder: string): readonly string[];
  /** files whose path ends with these parts, in order: `b/c.h` finds `a/b/c.h` and `b/c.h` */
  endingWith(suffix: string): readonly string[];
  /** files with this name, in order */
  named(name: string): readonly string[];
}

export function placesOf(paths: readonly string[]): Places {
  const all = new Set(paths);
  const folders = grouped(paths, folderOf);
  const names = grouped(paths, nameOf);
  return {
    has: (path) => all.has(path),
    inFolder: (folder) => folders.get(folder) ?? [],
    endingWith(suffix) {
      const found = names.get(nameOf(suffix)) ?? [];
      return suffix.includes("/") ? found.filter((path) => path === suffix || path.endsWith(`/${suffix}`)) : found;
    },
    named: (name) => names.get(name) ?? [],
  };
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const within = (folder: string, path: string): string => (folder === "" ? path : `${folder}/${path}`);

/** A path with `.` and `..` worked out; null: it leads out of the tree. */
export function normal(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** The folders of a path, the deepest first, the root (empty) last. */
export function foldersUp(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folderOf(path); at !== ""; at = folderOf(at)) folders.push(at);
  return [...folders, ""];
}

/** How many folders two paths have in common from the root. */
export function sharedDepth(a: string, b: string): number {
  const [left, right] = [folderOf(a).split("/"), folderOf(b).split("/")];
  const differs = left.findIndex((part, i) => part !== right[i]);
  return differs === -1 ? left.length : differs;
}

/** Of several files that a name may mean, the one that lies nearest. */
export function nearestTo(path: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let most = -1;
  for (const candidate of candidates) {
    const depth = sharedDepth(path, candidate);
    if (depth > most) [best, most] = [candidate, depth];
  }
  return best;
}

function grouped(paths: readonly string[], key: (path: string) => string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const group = groups.get(key(path));
    if (group === undefined) groups.set(key(path), [path]);
    else group.push(path);
  }
  return groups;
}
