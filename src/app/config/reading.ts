import { existsSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Reading } from "../../ports/source.ts";
import { actionsOf, assemble, roleFolders, signalsOf, tasksFolder } from "./assemble.ts";
import { foreignKeys, namedByAll, readBacklog } from "./backlog.ts";
import type { BacklogFault } from "./backlog-check.ts";
import { type Cast, readCast } from "./cast.ts";
import { missingInWorktrees, worktreeCommands } from "./committed.ts";
import { emptySubmodules } from "./empty-submodules.ts";
import { checkAgentModels, checkGateModels } from "./gate-models.ts";
import { type FoundMap, type Maps, mapFiles, mapsOf } from "./maps.ts";
import type { Overrides } from "./overrides.ts";
import type { PawlFile } from "./pawl-file.ts";
import { checkPlaces, missingFolders, storeFaults } from "./places.ts";
import { prefixFaults } from "./prefix.ts";
import { readPawlFile } from "./read-pawl-file.ts";
import { baseFault, type Repository, readRepository } from "./repository.ts";
import { noAgent, noModel, once, tellRoles } from "./role-faults.ts";
import { readRoles } from "./role-files.ts";
import { at, child, fault, type Spot } from "./spot.ts";
import { type TaskFolder, taskFolder } from "./task-folder.ts";
import { kindsOf } from "./task-outline.ts";
import { type TaskDefaults, taskDefaults } from "./task-terms.ts";
import { twinNames } from "./twin-names.ts";
import { unjudgedScreens } from "./unjudged-screen.ts";
import { findUsualMap, foundOnly, mapOf, usedMaps } from "./usual-map.ts";
import { isUnclear, vocabulary } from "./vocabulary.ts";

export interface ReadOptions {
  /** absolute path of the main checkout (`findRepo`) */
  readonly repo: string;
  readonly overrides: Overrides;
  /** tasks that the store knows although their file may be gone: a dep on one of them is no fault */
  readonly isKnown?: ((id: string) => boolean) | undefined;
  /** check every map of phase-maps/, not only those that are used */
  readonly every?: boolean;
  /** keeps task files from one reading to the next */
  readonly folder?: TaskFolder;
  /** task files as the last reading of `folder` found them: what has changed since is for the next one */
  readonly isHeld?: boolean;
  /** what the last reading without a fault gave to tasks: holds as long as pawl.yaml cannot be read, or is away */
  readonly before?: Given | undefined;
}

/** Warnings of a reading that a person should see before anything is spawned. */
export const beforeSpawns = ({ warnings }: Pick<Reading, "warnings">): readonly PawlError[] =>
  warnings.filter(({ code }) => BEFORE_SPAWNS.has(code));
const BEFORE_SPAWNS: ReadonlySet<string> = new Set(["NOT_COMMITTED", "NOT_EXECUTABLE", "SUBMODULES_EMPTY"]);

/** What pawl.yaml gives to every task, and where tasks are. */
export interface Given {
  readonly tasks: string;
  readonly defaults: TaskDefaults;
}

/** What was read, with what it was made of: for commands that show or check configuration. */
export interface Configuration {
  readonly reading: Reading;
  readonly file: Partial<PawlFile>;
  readonly root: Spot;
  readonly given: Given;
  readonly repository: Repository | null;
  readonly cast: Cast;
  readonly maps: Maps;
  /** the map of tasks that name none; null: there is none of that name */
  readonly usualMap: FoundMap | null;
  /** what is wrong between task files */
  readonly between: readonly BacklogFault[];
}

/** Reads pawl.yaml, maps, roles and tasks; finds every fault at once and throws none (only a fault of Pawl's own). */
export async function readConfiguration(options: ReadOptions): Promise<Configuration> {
  const { repo, overrides } = options;
  const { root, file, errors } = readPawlFile(repo, options.before !== undefined);
  const warnings: PawlError[] = [];
  const repository = await readRepository(repo).catch((error: unknown) => caught(error, errors));
  const roles = readRoles(repo, roleFolders(file));
  const cast = readCast(file, root, overrides);
  const isUnreadable = errors.length + root.text.faults.length > 0;
  const folder = (isUnreadable ? options.before : undefined)?.tasks ?? tasksFolder(file);
  const files = options.folder ?? taskFolder(repo);
  const tasks = (options.isHeld ? files.last(folder) : null) ?? (await files.read(folder));
  const kinds = kindsOf(tasks);
  const theirs = namedByAll(kinds);
  checkAgentModels(file, root);
  checkGateModels(file, root);
  checkPlaces(repo, file, root);
  const actions = actionsOf(file, root);
  const signals = signalsOf(file, repo);
  const words = vocabulary({ file, root, cast, roles, theirs, actions, signals });
  const maps = mapsOf(repo, words);
  const usualMap = findUsualMap(file, root, maps);
  const used = usedMaps(usualMap, kinds, maps);
  const checked = options.every ? [...used, ...mapFiles(repo).flatMap((path) => foundOnly(maps.find(path)))] : used;
  const base = baseOf({ file, root, repository, errors });
  errors.push(
    ...prefixFaults(file, root, repository),
    ...storeFaults(repo, overrides),
    ...root.text.faults,
    ...once(checked.flatMap(({ faults }) => faults)),
  );
  if (!isUnclear(root)) errors.push(...noAgent({ cast, used, theirs, file: root.text.file }));
  warnings.push(...noModel({ cast, used, overrides, root }));
  tellRoles({ roles, used, cast, file, errors, warnings });
  const whole = used.flatMap(({ map }) => (map ? [map] : []));
  const settings =
    errors.length === 0 && base !== null
      ? assemble({ repo, file, overrides, cast, roles, maps: whole, actions, signals, base })
      : null;
  const isWhole = settings !== null;
  const defaults =
    !isWhole && options.before !== undefined
      ? options.before.defaults
      : taskDefaults(file, { phases: usualMap?.name ?? "default", base: base ?? "", checks: file.checks ?? [] });
  const backlog = readBacklog({
    tasks,
    maps,
    usual: usualMap?.map ?? null,
    repository,
    cast,
    defaults,
    isKnown: options.isKnown ?? (() => false),
    roles: [...new Set([...words.roles.keys(), ...cast.names])],
    isUnclear: isUnclear(root),
  });
  if (!existsSync(join(repo, folder)))
    warnings.push(
      fault("TASKS_MISSING", `there is no folder ${folder} with tasks yet`, {
        next: 'pawl add "What is to be done"',
      }),
    );
  if (settings !== null) {
    const given = overrides.agent ? [{ spot: null, command: overrides.agent.value }] : [];
    const written = worktreeCommands(
      root,
      used.flatMap(({ spot }) => spot ?? []),
    );
    const on = { repo, base: settings.base, copy: settings.worktree.copy };
    warnings.push(...(await missingInWorktrees([...written, ...given], on)));
    warnings.push(...(await emptySubmodules(root, { ...on, setup: settings.worktree.setup })));
  }
  warnings.push(...missingFolders(repo, file, root), ...twinNames(tasks));
  const reading: Reading = {
    settings,
    specs: backlog.specs,
    unread: backlog.unread,
    errors: inOrder([...errors, ...backlog.errors]),
    warnings: inOrder([...warnings, ...foreignKeys(tasks), ...unjudgedScreens(tasks, mapOf(maps, usualMap))]),
  };
  const { between } = backlog;
  return { reading, file, given: { tasks: folder, defaults }, root, repository, cast, maps, usualMap, between };
}

function caught(error: unknown, errors: PawlError[]): null {
  if (!(error instanceof PawlError)) throw error;
  errors.push(error);
  return null;
}

function baseOf(of: {
  file: Partial<PawlFile>;
  root: Spot;
  repository: Repository | null;
  errors: PawlError[];
}): string | null {
  if (!of.repository) return null;
  const base = of.file.base ?? of.repository.usual;
  const why = baseFault(of.repository, base);
  if (!why) return base;
  const place = of.file.base === undefined || why.code === "REPO_EMPTY" ? {} : { at: at(child(of.root, "base")) };
  of.errors.push(fault(why.code, why.message, { next: why.next, ...place }));
  return null;
}

/** By file and place; what has no place comes first. */
const inOrder = (errors: readonly PawlError[]): readonly PawlError[] =>
  [...errors].sort((a, b) => {
    const [x, y] = [a.at, b.at];
    if (x.file !== y.file) return (x.file ?? "") < (y.file ?? "") ? -1 : 1;
    return (x.line ?? 0) - (y.line ?? 0) || (x.column ?? 0) - (y.column ?? 0);
  });
