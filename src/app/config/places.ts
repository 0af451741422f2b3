import { join, relative, resolve } from "node:path";
import { isServer } from "../../adapters/store/address.ts";
import type { PawlError } from "../../domain/errors.ts";
import { roleFolders, tasksFolder } from "./assemble.ts";
import type { Overrides } from "./overrides.ts";
import { ownName } from "./own-names.ts";
import type { PawlFile } from "./pawl-file.ts";
import { fileFault, folderFault, isFolder, lookAt } from "./room-for.ts";
import { child, fault, faultAt, itemsOf, noteFault, type Spot } from "./spot.ts";

/** Notes each path of pawl.yaml where nothing can be read or made, whoever tries: PLACE_BAD. Looks, and makes nothing. */
export function checkPlaces(repo: string, file: Partial<PawlFile>, root: Spot): void {
  checkWorktrees(repo, file, root);
  if (file.store !== undefined && !isServer(file.store)) {
    const why = keptThere(repo, file.store, "store.db") ?? fileFault(resolve(repo, file.store));
    if (why !== null) noteBad(child(root, "store"), `there can be no store: ${why}`, "name a file that can be made.");
  }
  const approval = file.signals?.["human-approval"];
  const inbox = approval !== undefined && "human" in approval ? approval.human?.inbox : undefined;
  const noInbox = inbox === undefined ? null : (keptThere(repo, inbox, "inbox") ?? folderFault(resolve(repo, inbox)));
  if (noInbox !== null)
    noteBad(["signals", "human-approval", "inbox"].reduce(child, root), `there can be no answers: ${noInbox}`);
  if (file.tasks !== undefined && isWithin(file.tasks, ".git"))
    noteBad(child(root, "tasks"), "there can be no tasks in git's own folder");
  for (const { path, spot } of readFolders(file, root))
    if (isThere(repo, path) && !isFolder(resolve(repo, path))) noteBad(spot, `${path} is no folder`);
}

function keptThere(repo: string, path: string, usual: string): string | null {
  const own = ownName(repo, path, usual);
  return own === null ? null : `Pawl keeps its own ${own} there`;
}

/** A warning (FOLDER_MISSING) for each folder that pawl.yaml names and that is not there: what is to come from it does not. */
export const missingFolders = (repo: string, file: Partial<PawlFile>, root: Spot): readonly PawlError[] =>
  readFolders(file, root)
    .filter(({ path, spot }) => spot.path !== "tasks" && !isThere(repo, path))
    .map(({ path, spot }) =>
      faultAt(spot, "FOLDER_MISSING", `there is no folder ${path}`, { next: "make it, or name another one." }),
    );

/** The same of a store that the command line or the environment names. */
export function storeFaults(repo: string, { store }: Overrides): readonly PawlError[] {
  const path = store === undefined || isServer(store.value) ? null : store.value;
  const why = path === null ? null : (keptThere(repo, path, "store.db") ?? fileFault(path));
  if (why === null) return [];
  return [
    fault("PLACE_BAD", `there can be no store at ${store!.value} (${store!.from}): ${why}`, {
      next: "name a file that can be made.",
    }),
  ];
}

const isThere = (repo: string, path: string): boolean => lookAt(resolve(repo, path)) !== null;

function checkWorktrees(repo: string, file: Partial<PawlFile>, root: Spot): void {
  const written = file.worktree?.root;
  if (written === undefined) return;
  const spot = child(child(root, "worktree"), "root");
  const path = relative(repo, resolve(repo, written));
  const whose = whoseIs(path, file);
  const why = whose === null ? (keptThere(repo, written, "worktrees") ?? folderFault(join(repo, path))) : null;
  if (whose !== null)
    noteBad(spot, `there can be no worktrees in ${written}: ${whose}`, "leave root out, or name a folder of its own.");
  if (why !== null) noteBad(spot, `there can be no worktrees: ${why}`);
}

/** What a folder of the repository is for, where that is not to hold worktrees. */
function whoseIs(path: string, file: Partial<PawlFile>): string | null {
  if (isWithin(path, ".git")) return "it is git's own";
  if (path === "") return "it is the checkout itself";
  if (path === ".pawl") return "Pawl keeps its own files there";
  const tasks = tasksFolder(file);
  const read = [
    tasks,
    ...roleFolders(file),
    "phase-maps",
    ...(file.patterns ? [file.patterns] : []),
    ...(file.skills ?? []),
  ];
  const taken = read.find((folder) => isWithin(path, folder));
  return taken === undefined ? null : `${taken === tasks ? "tasks are" : "what Pawl reads is"} there`;
}

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === "" || !/^\.\.(\/|$)/.test(way);
};

interface Named {
  readonly path: string;
  readonly spot: Spot;
}

/** Folders that pawl.yaml names, in which something is read. */
function readFolders(file: Partial<PawlFile>, root: Spot): readonly Named[] {
  const named = (key: "tasks" | "roles" | "patterns" | "skills"): readonly Named[] => {
    const paths = [file[key] ?? []].flat();
    const spots = itemsOf(child(root, key)) ?? [child(root, key)];
    // one that has a fault of its own is not among the paths
    return spots.length === paths.length ? paths.map((path, at) => ({ path, spot: spots[at]! })) : [];
  };
  return [...named("tasks"), ...named("roles"), ...named("patterns"), ...named("skills")];
}

const noteBad = (spot: Spot, message: string, next = "name a folder that can be made or read."): void =>
  noteFault(spot, "PLACE_BAD", message, { next });
