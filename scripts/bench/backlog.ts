import { createHash } from "node:crypto";
import { DEFAULT_LIMITS } from "../../src/domain/backlog.ts";
import type { BlobHash, MapHash, PhaseName, TaskId } from "../../src/domain/names.ts";
import type { PhaseMap } from "../../src/domain/phase.ts";
import type { Settings } from "../../src/ports/settings.ts";
import type { BacklogSource, ReadSpec } from "../../src/ports/source.ts";
import { aFile } from "../../test/support/task-file.ts";
import { aSeed } from "../../test/support/ticks.ts";

export const hash = (bytes: Uint8Array): BlobHash =>
  `sha256-${createHash("sha256").update(bytes).digest("hex")}` as BlobHash;

/** A map of agent phases in a row. */
export function chainOf(phases: number): PhaseMap {
  const names = Array.from({ length: phases }, (_, i) => `phase-${i + 1}` as PhaseName);
  const list = names.map((name, i) => {
    const step = { run: "agent", role: "worker", checkout: i === 0 ? "branch" : "clean", pr: false } as const;
    return [
      name,
      {
        name,
        step,
        onPass: names[i + 1] ?? "done",
        onFail: name,
        onWait: name,
        onConflict: null,
        timeoutMs: null,
        escalate: null,
        check: null,
      },
    ] as const;
  });
  return {
    hash: `chain-${phases}` as MapHash,
    name: "default",
    first: names[0]!,
    phases: Object.fromEntries(list),
    maxRounds: null,
  };
}

/** So many tasks in memory, as a backlog of files would read them. */
export function memorySource(tasks: number, { phases, workers }: { phases: number; workers: number }): BacklogSource {
  const settings: Settings = {
    repo: "/",
    state: "/",
    store: "",
    limits: { ...DEFAULT_LIMITS, maxWorkers: workers },
    maps: [chainOf(phases)],
    agents: {
      worker: {
        name: "worker",
        command: ["true"],
        prompt: "file",
        verdict: "file",
        stallMs: null,
        env: {},
        passes: [],
      },
    },
    cast: { worker: "worker" },
    roles: { worker: "You do the work." },
    actions: {},
    signals: {},
    checks: [],
    worktree: { root: "/", setup: null, copy: [] },
    env: [],
    protect: [],
    base: "main",
    branchPrefix: "pawl/",
    forge: { kind: "local" },
    channels: [],
    tasks: "tasks",
  };
  const specs = Array.from({ length: tasks }, (_, i) => specOf(`task-${i + 1}` as TaskId));
  return {
    read: async () => ({ settings, specs, unread: [], errors: [], warnings: [] }),
    changed: async function* () {},
  };
}

function specOf(id: TaskId): ReadSpec {
  const file = aFile(id);
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const { terms } = aSeed(id);
  return { id, spec: hash(bytes), bytes, terms };
}
