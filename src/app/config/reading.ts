import { existsSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { PhaseMap } from "../../domain/phase.ts";
import type { Reading, ReadSpec, Unread } from "../../ports/source.ts";
import { actionsOf, assemble, roleFolders, signalsOf, tasksFolder } from "./assemble.ts";
import { type BacklogFault, checkBacklog } from "./backlog-check.ts";
import { type Cast, readCast } from "./cast.ts";
import { missingInWorktrees, worktreeCommands } from "./committed.ts";
import { emptySubmodules } from "./empty-submodules.ts";
import { isForges } from "./forge-key.ts";
import { checkAgentModels, checkGateModels } from "./gate-models.ts";
import type { KeptTask, Source } from "./kept-task.ts";
import type { Vocabulary } from "./map-file.ts";
import { type FoundMap, type Maps, mapFiles, mapsOf } from "./maps.ts";
import { nearest } from "./nearest.ts";
import type { Overrides } from "./overrides.ts";
import { type PawlFile, pawlFile } from "./pawl-file.ts";
import { checkPlaces, missingFolders, storeFaults } from "./places.ts";
import { prefixFaults } from "./prefix.ts";
import { baseFault, type Repository, readRepository } from "./repository.ts";
import { type Role, readRoles } from "./role-files.ts";
import { at, child, fault, namesAt, nodeOf, parseYaml, type Spot, textOf } from "./spot.ts";
import { type TaskFolder, taskFolder } from "./task-folder.ts";
import { namesOf } from "./task-names.ts";
import { idOf, kindsOf, type TaskOutline } from "./task-outline.ts";
import { type Resolved, type TaskDefaults, taskDefaults } from "./task-terms.ts";
import { readText } from "./text-file.ts";
import { twinNames } from "./twin-names.ts";
import { unjudgedScreens } from "./unjudged-screen.ts";
import { TASK_KEYS } from "./written-task.ts";

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

const PAWL_YAML = "pawl.yaml";

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
  const words: Vocabulary = {
    roles: new Map([
      ...Object.keys({ ...file.agents, ...cast.agents })
        .filter((name) => name !== "default")
        .map((name) => [name, "branch"] as const),
      ...[...roles.values()].map((role) => [role.name, role.checkout ?? "branch"] as const),
    ]),
    cast: castOf({ ...cast, isEmpty: cast.isEmpty || isUnclear(root) }, theirs, [
      ...roles.keys(),
      ...Object.keys(file.agents ?? {}),
      ...Object.keys(cast.agents),
    ]),
    actions: new Map(
      Object.values(actions).map(({ name, pr, idempotent, check, timeoutMs }) => [
        name,
        { pr, idempotent, canAsk: check !== null, wallMs: timeoutMs },
      ]),
    ),
    signals: new Map(
      Object.values(signals).map(({ name, pr, kind }) => [
        name,
        { pr, answeredBy: kind === "human" ? kind : "command" },
      ]),
    ),
    isBroken: brokenIn(root, file),
  };
  const maps = mapsOf(repo, words);
  const usualMap = findUsualMap(file, root, maps);
  const used = usedMaps(usualMap, kinds, maps);
  const checked = options.every ? [...used, ...mapFiles(repo).flatMap((path) => foundOnly(maps.find(path)))] : used;
  const base = baseOf({ file, root, repository, errors });
  errors.push(
    ...prefixFaults(file, root, repository),
    ...storeFaults(overrides),
    ...root.text.faults,
    ...once(checked.flatMap(({ faults }) => faults)),
  );
  if (!isUnclear(root)) errors.push(...noAgent({ cast, used, theirs, file: root.text.file }));
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

/** `isExpected`: it was there before, so that it is no empty configuration when it is not. */
/** pawl.yaml alone, with what is wrong in it; one that is not there is a fault only where it `isExpected`. */
export function readPawlFile(
  repo: string,
  isExpected: boolean,
): { root: Spot; file: Partial<PawlFile>; errors: PawlError[] } {
  const isThere = existsSync(join(repo, PAWL_YAML));
  const text = isThere ? readText(repo, PAWL_YAML) : isExpected ? gone() : "";
  const root = parseYaml({ file: PAWL_YAML, yaml: text instanceof PawlError ? "" : text });
  return { root, file: pawlFile(root), errors: text instanceof PawlError ? [text] : [] };
}

const gone = (): PawlError =>
  fault("CONFIG_GONE", `${PAWL_YAML} is away: what it said last goes on`, {
    at: { file: PAWL_YAML },
    next: "put it back, or pawl stop and pawl run to go on without it.",
  });

function caught(error: unknown, errors: PawlError[]): null {
  if (!(error instanceof PawlError)) throw error;
  errors.push(error);
  return null;
}

/** What pawl.yaml has with a fault of its own; of a forge that cannot be read nobody knows what it answers. */
function brokenIn(root: Spot, file: Partial<PawlFile>): Vocabulary["isBroken"] {
  const broken = (key: "agents" | "actions" | "signals", name: string): boolean =>
    namesAt(root, key).includes(name) && !Object.hasOwn(file[key] ?? {}, name);
  const isForgeUnclear = file.forge === undefined && nodeOf(child(root, "forge")) !== null;
  return (kind, name) =>
    broken(`${kind === "role" ? "agent" : kind}s`, name) || (kind === "signal" && isForgeUnclear && isForges(name));
}

/** Roles that somebody works as. Where nobody names any agent, that is told once, and not for each role. */
const castOf = (cast: Cast, theirs: ReadonlySet<string>, roles: readonly string[]): ReadonlySet<string> =>
  new Set(roles.filter((role) => cast.isEmpty || theirs.has(role) || cast.roleAgent(role) !== null));

/** Roles for which every task that may be started names an agent itself. */
function namedByAll(tasks: readonly TaskOutline[]): ReadonlySet<string> {
  const [first, ...others] = tasks
    .filter(({ fields }) => fields.draft !== true)
    .map(({ agents }) => new Set(agents.map(({ role }) => role)));
  return new Set([...(first ?? [])].filter((role) => others.every((roles) => roles.has(role))));
}

function findUsualMap(file: Partial<PawlFile>, root: Spot, maps: Maps): FoundMap | null {
  const spot = file.defaults?.phases === undefined ? child(root, "phases") : child(child(root, "defaults"), "phases");
  const written = file.defaults?.phases ?? file.phases;
  const name = typeof written === "string" ? written : written ? textOf(written) : "default";
  if (name === null) return maps.inPlace(spot);
  const found = maps.find(name);
  if (!("unknown" in found)) return found;
  root.text.faults.push(
    fault("MAP_UNKNOWN", found.unknown, { at: at(spot), next: found.next, data: { span: name.length } }),
  );
  return null;
}

/** The map that a task goes through; null: its own is not there, or broken. */
const mapOf =
  (maps: Maps, usual: FoundMap | null) =>
  ({ phases }: TaskOutline): PhaseMap | null => {
    const found = phases === null ? usual : foundOnly(maps.find(phases.name))[0];
    return found?.map ?? null;
  };

const foundOnly = (found: ReturnType<Maps["find"]>): readonly FoundMap[] => ("unknown" in found ? [] : [found]);

function usedMaps(usual: FoundMap | null, tasks: readonly TaskOutline[], maps: Maps): readonly FoundMap[] {
  const named = [...new Set(tasks.flatMap((task) => (task.phases ? [task.phases.name] : [])))];
  return [...new Set([...(usual ? [usual] : []), ...named.flatMap((name) => foundOnly(maps.find(name)))])];
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

/** Whether it cannot be said who does the work, because that very part of pawl.yaml is broken: that is told already. */
const isUnclear = ({ text }: Spot): boolean =>
  text.faults.some(({ code, data }) => code === "YAML_BAD" || data.path === "" || /^agents\b/.test(String(data.path)));

/** Two phases that lack the same agent lack one thing. */
function once(faults: readonly PawlError[]): readonly PawlError[] {
  const place = ({ code, message, at }: PawlError): string =>
    JSON.stringify([code, message, code === "AGENT_MISSING" ? at.file : at]);
  return [...new Map([...faults].reverse().map((error) => [place(error), error])).values()].reverse();
}

function noAgent({
  cast,
  used,
  theirs,
  file,
}: {
  cast: Cast;
  used: readonly FoundMap[];
  theirs: ReadonlySet<string>;
  file: string;
}): readonly PawlError[] {
  const steps = used.flatMap(({ map }) => (map ? Object.values(map.phases).map(({ step }) => step) : []));
  const needed = steps.some(
    (step) => step.run === "agent" && !theirs.has(step.role) && cast.roleAgent(step.role) === null,
  );
  if (!cast.isEmpty || !needed) return [];
  return [
    fault("AGENT_MISSING", `nobody does the work: ${file} names no agent`, {
      next: "pawl run --agent ./fix.sh, or add agents: {default: {command: ./fix.sh, verdict: exit_code}} to pawl.yaml.",
      data: { none: true },
    }),
  ];
}

function tellRoles(of: {
  roles: ReadonlyMap<string, Role>;
  used: readonly FoundMap[];
  cast: Cast;
  file: Partial<PawlFile>;
  errors: PawlError[];
  warnings: PawlError[];
}): void {
  const steps = of.used.flatMap(({ map }) => (map ? Object.values(map.phases).map(({ step }) => step) : []));
  const run = new Set(steps.flatMap((step) => (step.run === "agent" ? [step.role] : [])));
  for (const { name, faults } of of.roles.values()) (run.has(name) ? of.errors : of.warnings).push(...faults);
  if (run.has("verifier") && of.cast.roleAgent("verifier") === "default" && !of.file.agents?.verifier)
    of.warnings.push(
      fault("CHECKS_MISSING", "nothing proves the work: there are no checks, and the verifier is the agent `default`", {
        next: "add checks: [npm test] to pawl.yaml (the command that tests yours).",
      }),
    );
}

interface Backlog {
  readonly tasks: readonly KeptTask[];
  readonly maps: Maps;
  /** the map of tasks that name none */
  readonly usual: PhaseMap | null;
  readonly repository: Repository | null;
  readonly cast: Cast;
  readonly defaults: TaskDefaults;
  readonly isKnown: (id: string) => boolean;
  /** some agent of pawl.yaml has a fault */
  readonly isUnclear: boolean;
}

function readBacklog(backlog: Backlog): Pick<Reading, "specs" | "unread" | "errors"> & Pick<Configuration, "between"> {
  const faults = checkBacklog(backlog.tasks, backlog.isKnown);
  const broken = new Set(faults.flatMap(({ files }) => files));
  const errors = faults.map(({ error }) => error);
  const specs: ReadSpec[] = [];
  const unread: Unread[] = [];
  const resolve = resolverOf(backlog);
  for (const task of backlog.tasks) {
    const resolved = resolve(task);
    errors.push(...task.faults, ...resolved.faults);
    const isBroken = broken.size > 0 && broken.has(task.file);
    const isWhole = !isBroken && task.faults.length + resolved.faults.length === 0;
    // A task is made again only when its file or what pawl.yaml gives it changed.
    const spec = isWhole ? task.specFrom(resolved.source) : null;
    if (spec === null) unread.push({ id: idOf(task) ?? task.file, isSure: task.isIdSure });
    else specs.push(spec);
  }
  return { specs, unread, errors, between: faults };
}

/** What the names in a task file stand for. Of tasks that say the same without a fault it is found once. */
function resolverOf(
  backlog: Backlog,
): (task: KeptTask) => { readonly faults: readonly PawlError[]; readonly source: Source } {
  const sources = sourcesOf(backlog.defaults);
  const known = new Map<unknown, ReturnType<ReturnType<typeof resolverOf>>>();
  return (task) => {
    const before = known.get(task.said);
    if (before !== undefined) return before;
    const { faults, names } = namesOf(task, backlog);
    const resolved = { faults, source: sources(names) };
    if (faults.length === 0) known.set(task.said, resolved);
    return resolved;
  };
}

/** What tasks are made of beside their files: most are given the same, and share it. */
function sourcesOf(defaults: TaskDefaults): (names: Resolved) => Source {
  const given = JSON.stringify(defaults);
  const known = new Map<string, Source>();
  return (names) => {
    const text = JSON.stringify(names);
    const source = known.get(text) ?? { text: given + text, names, defaults };
    known.set(text, source);
    return source;
  };
}

/** Keys that other tools wrote are kept; each is named once, with the first place where it stands. */
function foreignKeys(tasks: readonly TaskOutline[]): readonly PawlError[] {
  const places = new Map<string, { first: TaskOutline["deps"][number]; files: number }>();
  for (const task of tasks)
    for (const mention of task.extraAt) {
      const before = places.get(mention.name);
      places.set(mention.name, { first: before?.first ?? mention, files: (before?.files ?? 0) + 1 });
    }
  return [...places.values()].map(({ first, files }) => {
    const meant = nearest(first.name, TASK_KEYS);
    const where = files === 1 ? "" : ` (in ${files} files)`;
    return fault("KEY_FOREIGN", `"${first.name}" is not a key of Pawl's: it is kept, and means nothing${where}`, {
      at: first.at,
      data: { span: first.name.length },
      ...(meant === null ? {} : { next: `write "${meant}", if that is what is meant.` }),
    });
  });
}

/** By file and place; what has no place comes first. */
const inOrder = (errors: readonly PawlError[]): readonly PawlError[] =>
  [...errors].sort((a, b) => {
    const [x, y] = [a.at, b.at];
    if (x.file !== y.file) return (x.file ?? "") < (y.file ?? "") ? -1 : 1;
    return (x.line ?? 0) - (y.line ?? 0) || (x.column ?? 0) - (y.column ?? 0);
  });
