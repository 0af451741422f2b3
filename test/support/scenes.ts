import { isBusy } from "../../src/adapters/store/place.ts";
import { paletteOf } from "../../src/app/cli/palette.ts";
import { type Ink, inkOf, inOrder, type Scene, type Sight } from "../../src/app/cli/views/scene.ts";
import type { Face } from "../../src/app/cli/views/times.ts";
import { DEFAULT_LIMITS, emptyBacklog, type Limits } from "../../src/domain/backlog.ts";
import type { Instant, MapHash, PhaseName, TaskId } from "../../src/domain/names.ts";
import type { Phase, PhaseMap, Step } from "../../src/domain/phase.ts";
import { pristine } from "../../src/domain/pristine.ts";
import type { Seed, Task } from "../../src/domain/task.ts";
import { Board } from "../../src/engine/board.ts";
import { aSeed, aTask } from "./ticks.ts";

/** 28 November 2026, 09:53:04 where the tests are read: one hour east of UTC. */
export const NOW = Date.UTC(2026, 10, 28, 8, 53, 4) as Instant;
export const face: Face = { now: NOW, offset: () => 60 };
/** so long before NOW */
export const ago = (seconds: number): Instant => (NOW - seconds * 1_000) as Instant;
export const plainInk: Ink = inkOf(paletteOf(false, true), 100);
export const asciiInk: Ink = inkOf(paletteOf(false, false), 100);

const phase = (name: string, step: Step, change: Partial<Phase> = {}): readonly [string, Phase] => [
  name,
  {
    name: name as PhaseName,
    step,
    onPass: "done",
    onFail: "implement" as PhaseName,
    onWait: name as PhaseName,
    onConflict: null,
    timeoutMs: null,
    escalate: null,
    check: null,
    ...change,
  },
];
const agent = (role: string): Step => ({ run: "agent", role, checkout: "branch", pr: false });

/** The default map, its gate with a timeout of three days. */
export const MAP: PhaseMap = {
  hash: "map-1" as MapHash,
  name: "default",
  first: "implement" as PhaseName,
  maxRounds: null,
  phases: Object.fromEntries([
    phase("implement", agent("implementer"), { onPass: "verify" as PhaseName }),
    phase("verify", agent("verifier"), { onPass: "await-review" as PhaseName }),
    phase(
      "await-review",
      { run: "signal", name: "human-approval", pr: true, answeredBy: "human" },
      { onPass: "merge" as PhaseName, timeoutMs: 3 * 86_400_000, escalate: "ask-owner" as PhaseName },
    ),
    phase("window", { run: "signal", name: "deploy-window", pr: false, answeredBy: "command" }),
    phase("merge", { run: "action", name: "merge", how: "merge", pr: true }, { onConflict: "implement" as PhaseName }),
    phase("ask-owner", { run: "signal", name: "human-approval", pr: false, answeredBy: "human" }),
  ]),
};

export interface SceneOf {
  readonly rows?: readonly Task[];
  readonly seeds?: readonly Seed[];
  readonly limits?: Partial<Limits>;
  readonly sights?: Readonly<Record<string, Sight>>;
  /** nobody ticks */
  readonly quiet?: boolean;
  readonly maps?: Readonly<Record<string, MapHash>>;
  readonly spentUsd?: number;
  /** what its tasks go through, in the place of MAP */
  readonly map?: PhaseMap;
}

/** A scene over a board that is made as the engine makes it. */
export function sceneOf({
  rows = [],
  seeds = [],
  limits = {},
  sights = {},
  quiet = false,
  maps = { default: MAP.hash },
  spentUsd = 0,
  map = MAP,
}: SceneOf): Scene {
  const live = rows.filter(isBusy);
  const ended = rows
    .filter((row) => !isBusy(row))
    .map(({ id, status, synced, merged }) => ({ id, status, synced, merged }));
  const backlog = {
    ...emptyBacklog,
    maps,
    limits: { ...DEFAULT_LIMITS, ...limits },
    spent: { microUsd: spentUsd * 1e6, tokens: 0, wallMs: 0, spawns: 4 },
  };
  const world = new Board({ seq: 1, now: NOW, backlog, live, seeds, ended, maps: new Map([[MAP.hash, map]]) });
  return {
    face,
    world,
    tasks: inOrder([...rows, ...seeds.map(pristine)]),
    sights: new Map(Object.entries(sights) as [TaskId, Sight][]),
    holder: { pid: 4121, host: "birch", since: ago(3_300), epoch: 7, alive: !quiet },
    ticked: ago(1),
  };
}

/** A seed with the title that is said of it. */
export const seed = (
  id: string,
  title: string,
  deps: readonly string[] = [],
  terms: Partial<Seed["terms"]> = {},
): Seed => {
  const made = aSeed(id, deps);
  return { ...made, terms: { ...made.terms, title, ...terms } };
};

/** A task in progress with the title that is said of it. */
export const row = (id: string, title: string, change: Partial<Task> = {}): Task => {
  const made = aTask(id, { entered: ago(240), ...change });
  return { ...made, terms: { ...made.terms, title } };
};
