import { type GateSaid, NO, YES } from "../../src/domain/gate.ts";
import type { Input, Sighting } from "../../src/domain/input.ts";
import type { BlobHash } from "../../src/domain/names.ts";
import type { Task } from "../../src/domain/task.ts";
import type { Random } from "./random.ts";

/** A worker that has said something: something new, or what was answered already and it has not read. */
export function gateSighting(random: Random, { run }: Task): Sighting {
  const seq = (run?.answer?.seq ?? 0) + (random.chance(0.8) ? 1 : 0);
  return {
    kind: "gate",
    gate: random.pick(["GO", "NEXT"]),
    seq: Math.max(1, seq),
    submission: `sha256-${seq}` as BlobHash,
    head: null,
    alive: random.chance(0.5),
  };
}

/** What may come of a task at its gate: its process ends, or leaves a verdict; its owner answers, or somebody late does. */
export function gateNews(random: Random, task: Task, wild: boolean): Input[] {
  const { doing } = task;
  if (doing.kind !== "at-gate") return [];
  const { leg, seq, gate, submission, head } = doing;
  const of = { task: task.id, leg };
  const seen: Input[] =
    doing.alive && random.chance(0.5)
      ? [
          {
            kind: "run-seen",
            ...of,
            sighting:
              wild && random.chance(0.2)
                ? random.pick<Sighting>([
                    { kind: "ended", driver: "ended" },
                    { kind: "absent" },
                    { kind: "unknown", why: "cannot see" },
                  ])
                : { kind: "gate", gate, seq, submission, head, alive: false },
          },
        ]
      : [];
  if (random.chance(wild ? 0.5 : 0)) return seen;
  if (doing.owners[0] === "human")
    return wild
      ? seen
      : [
          ...seen,
          {
            kind: "command-received",
            id: `at-${leg}-${seq}`,
            by: "lead",
            task: task.id,
            command: { do: gate === "GO" ? "go" : "next", seq, message: null },
          },
        ];
  const late = wild && random.chance(0.1) ? 1 : 0;
  return [...seen, { kind: "gate-said", ...of, seq: seq - late, owner: "rules", said: saidAt(random, gate, wild) }];
}

function saidAt(random: Random, gate: "GO" | "NEXT", wild: boolean): GateSaid {
  const yes: GateSaid = { word: YES[gate], issues: [], reason: null };
  if (!wild || random.chance(0.6)) return yes;
  const no: GateSaid = { word: NO[gate], issues: [{ id: "P1", text: "otherwise", about: "plan" }], reason: null };
  return random.pick([no, { word: "BLOCKED", issues: [], reason: "cannot be" } as const]);
}
