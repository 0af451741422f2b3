import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { createHost } from "../adapters/agents/host.ts";
import { commandSignal } from "../adapters/signals/command-signal.ts";
import { humanInbox } from "../adapters/signals/human-inbox.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { fileProbe } from "../adapters/system/file-probe.ts";
import { busyGit } from "../adapters/system/git.ts";
import { systemProcesses } from "../adapters/system/processes.ts";
import { PawlError } from "../domain/errors.ts";
import type { BlobHash, HostName, TaskId } from "../domain/names.ts";
import type { Board } from "../engine/board.ts";
import { Engine } from "../engine/engine.ts";
import type { Parts } from "../engine/parts.ts";
import type { Inbox } from "../ports/inbox.ts";
import type { Probe } from "../ports/probe.ts";
import type { Settings } from "../ports/settings.ts";
import type { Signals } from "../ports/signals.ts";
import type { ReadSpec } from "../ports/source.ts";
import type { Store } from "../ports/store.ts";
import { channelOf } from "./channels.ts";
import { putSchemas } from "./config/put-schemas.ts";
import { beforeSpawns, createSource, type Overrides } from "./config/source.ts";
import { prepareState } from "./config/state-folder.ts";
import { forgeOf, forgeSignalsOf } from "./forge.ts";
import { gatesFor } from "./gates/compose-gates.ts";
import { type Bells, createBells, hinted, openHooks } from "./hooks.ts";
import { withLanded } from "./landed-before.ts";
import { whyLeft } from "./left-in-inbox.ts";
import { notInstalled } from "./not-installed.ts";
import { openStoreOf } from "./open-store.ts";
import { freed, type StandBy } from "./stand-by.ts";

export interface ComposeOptions {
  /** absolute path of the main checkout */
  readonly repo: string;
  readonly overrides: Overrides;
  /** the command that runs this program */
  readonly pawl: readonly string[];
  readonly build: string;
  /** lines of the console channel */
  readonly say: (line: string) => void;
  /** what a person should know and no fact says: a word, and a sentence */
  readonly tell?: (word: string, text: string) => void;
  /** what a person should see before anything is spawned */
  readonly warn?: (warnings: readonly PawlError[]) => void;
  readonly only?: ReadonlySet<TaskId> | null;
  /** wait while another processor holds the store, and take over then; without it that is STORE_HELD */
  readonly standBy?: StandBy;
  /** a test's hands on the parts, before anything runs */
  readonly wrap?: (parts: Parts) => Parts;
}

export interface Processor {
  readonly engine: Engine;
  readonly settings: Settings;
  /** into the events of this store, `.pawl/events.jsonl` */
  readonly record: Probe["record"];
  /** where hooks of forges are taken; empty: nowhere */
  readonly hooksAt: readonly string[];
  close(): Promise<void>;
}

/**
 * Introduces everyone: files, store, host, forge, signals, channel, engine. Throws CONFIG_INVALID with every fault in
 * `data.errors` (nothing was started then), STORE_HELD, STORE_CORRUPT, STORE_MISSING.
 */
export async function compose(options: ComposeOptions): Promise<Processor> {
  for (;;) {
    // Composed anew each time: while it stood by, files have changed.
    const processor = await composeOnce(options);
    if (processor !== null) return processor;
  }
}

/** Null: another processor held the store, and does not any more. */
async function composeOnce(options: ComposeOptions): Promise<Processor | null> {
  const known: { has: (id: string) => boolean; board: Board | null } = { has: () => true, board: null };
  const files = createSource({
    repo: options.repo,
    overrides: options.overrides,
    isKnown: (id) => known.has(id),
  });
  const source = withLanded(files, { git: busyGit(), board: () => known.board });
  const reading = await source.read();
  const { settings, specs, errors } = reading;
  if (settings === null || errors.length > 0)
    throw new PawlError("CONFIG_INVALID", "the configuration or the backlog has faults", { data: { errors } });
  refuseUnknown(options.only ?? null, specs);
  options.warn?.([...beforeSpawns(reading), ...notInstalled(reading, { env: process.env, repo: options.repo })]);
  putSchemas(prepareState(settings.state));
  const store = await openStoreOf(settings, busyGit());
  try {
    const forge = await forgeOf(settings, { git: busyGit(), clock: systemClock() });
    const bells = createBells();
    const far = hinted({ forge, signals: await forgeSignalsOf(settings) }, bells);
    const made = partsOf(options, settings, { store, source, far, board: () => known.board });
    let newest = () => settings;
    const intake = await intakeOf(settings, { options, store, bells, probe: made.probe, settings: () => newest() });
    const whole = intake === null ? made : { ...made, beside: intake.lookers };
    const parts = options.wrap ? options.wrap(whole) : whole;
    files.hold();
    const engine = await Engine.open(parts, (board) => {
      known.has = (id) => board.statusOf(id as TaskId) !== null;
      known.board = board;
    });
    newest = () => engine.settings;
    if (intake !== null) engine.listen(intake.heard);
    const hooks = await openHooks(settings, { bells, probe: parts.probe, tell: options.tell }).catch(
      async (error: unknown) => {
        await engine.close();
        throw error;
      },
    );
    const close = async () => {
      await hooks?.close();
      await engine.close();
      await parts.gates?.close?.();
      await store.close();
    };
    return { hooksAt: hooks?.at ?? [], engine, settings, record: (event) => parts.probe.record(event), close };
  } catch (error) {
    try {
      if (!options.standBy || !(error instanceof PawlError) || error.code !== "STORE_HELD") throw error;
      await freed(store, options.standBy);
      return null;
    } finally {
      await store.close();
    }
  }
}

/** Loaded where pawl.yaml names issues; null: it does not, and what it says later is for the next processor. */
async function intakeOf(
  { intake }: Settings,
  of: {
    readonly options: ComposeOptions;
    readonly settings: () => Settings;
    readonly store: Store;
    readonly bells: Bells;
    readonly probe: Probe;
  },
) {
  if (intake === undefined) return null;
  const { composeIntake } = await import("./intake/compose-intake.ts");
  const { options, bells, ...parts } = of;
  return composeIntake({ ...parts, only: (options.only ?? null) !== null, bell: bells.issues, tell: options.tell });
}

function refuseUnknown(only: ReadonlySet<TaskId> | null, specs: readonly ReadSpec[]): void {
  if (only === null) return;
  const ids = new Set(specs.map((spec) => spec.id));
  const unknown = [...only].filter((id) => !ids.has(id));
  if (unknown.length === 0) return;
  throw new PawlError("TASK_UNKNOWN", `no task file has the id ${unknown.join(", ")}`, {
    next: "pawl status shows the tasks; pawl add makes one",
  });
}

function partsOf(
  options: ComposeOptions,
  settings: Settings,
  of: {
    store: Store & Inbox;
    source: Parts["source"];
    far: { forge: Parts["forge"]; signals: readonly (readonly [string, Signals])[] };
    board: () => Board | null;
  },
): Parts {
  const { store, source, far, board } = of;
  const probe = fileProbe(join(settings.state, "events.jsonl"));
  const git = busyGit();
  const processes = systemProcesses();
  const clock = systemClock();
  const name = hostname() as HostName;
  return {
    store,
    inbox: store,
    runtime: createHost({
      repo: settings.repo,
      state: settings.state,
      worktreeRoot: settings.worktree.root,
      git,
      processes,
      clock,
      pawl: options.pawl,
      name,
    }),
    forge: far.forge,
    signals: new Map([
      ...signalsOf(settings, processes, leftTeller(settings, { board, probe, tell: options.tell })),
      ...far.signals,
    ]),
    gates: gatesFor(settings, { git, clock, probe, env: allowed(settings) }),
    channels: [channelOf(settings, { say: options.say, tell: options.tell })],
    probe,
    clock,
    source,
    hash: (bytes) => `sha256-${createHash("sha256").update(bytes).digest("hex")}` as BlobHash,
    build: options.build,
    who: { pid: process.pid, host: name },
    only: options.only ?? null,
  };
}

/** Tells once why a file that somebody dropped into an inbox is no answer, however many signals look into that folder. */
function leftTeller(
  { repo }: Settings,
  of: { board: () => Board | null; probe: Probe; tell: ComposeOptions["tell"] },
): (inbox: string, name: string, why: string | null) => void {
  return (inbox, name, why) => {
    const board = of.board();
    const asking = board === null ? [] : [...board.indexes.asking];
    const statusOf = (id: string) => board?.statusOf(id as TaskId) ?? null;
    const text = why ?? whyLeft(name, { repo, inbox, asking, statusOf });
    if (text === null) return;
    of.probe.record({ event: "inbox_file_left", file: join(inbox, name), why: text });
    of.tell?.("inbox", text);
  };
}

/** What commands get of our own environment. */
const allowed = ({ env }: Settings): Readonly<Record<string, string>> =>
  Object.fromEntries(env.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]!]])));

function signalsOf(
  settings: Settings,
  processes: ReturnType<typeof systemProcesses>,
  left: ReturnType<typeof leftTeller>,
): ReadonlyMap<string, Signals> {
  const env = allowed(settings);
  return new Map(
    Object.values(settings.signals).flatMap((spec): (readonly [string, Signals])[] => {
      if (spec.kind === "forge") return [];
      const { name } = spec;
      if (spec.kind === "command")
        return [
          [name, commandSignal({ command: spec.command, everyMs: spec.everyMs, cwd: settings.repo, env, processes })],
        ];
      return [
        [name, humanInbox({ inbox: spec.inbox, from: spec.from, left: (file, why) => left(spec.inbox, file, why) })],
      ];
    }),
  );
}
