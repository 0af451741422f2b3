import type { AtGate, GateOwner } from "../domain/gate.ts";
import type { Input } from "../domain/input.ts";
import type { BlobHash, Ms } from "../domain/names.ts";
import type { Task } from "../domain/task.ts";
import type { GateQuestion, Gates } from "../ports/gates.ts";
import type { Brief } from "../ports/runtime.ts";
import type { Board } from "./board.ts";
import type { Looker } from "./look.ts";

const IDLE_MS: Ms = 1_000;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Gates whose next move is no person's: all of them in one question. What was said is pushed once. */
export function lookAtGates(
  board: Board,
  gates: Gates,
  { push, blob }: { push: (input: Input) => void; blob: (hash: BlobHash) => Promise<Uint8Array> },
): Looker {
  const pushed = new Set<string>();
  return {
    name: "gates",
    ...(gates.rung ? { rung: (signal: AbortSignal) => gates.rung!(signal) } : {}),
    async once(permit) {
      const waiting = [...board.indexes.gated].map((id) => board.rows.get(id)!);
      const open = new Set(
        waiting.map(({ doing }) => keyOf({ ...(doing as AtGate), owner: ownerOf(doing as AtGate) })),
      );
      for (const key of pushed) if (!open.has(key)) pushed.delete(key);
      if (waiting.length === 0) return IDLE_MS;
      const questions = await Promise.all(waiting.map((task) => questionOf(task, blob)));
      const { seen, againAfterMs } = await gates.ask(questions, permit);
      for (const { leg, seq, said } of seen) {
        const task = waiting.find(({ doing }) => isAt(doing as AtGate, { leg, seq }));
        const owner = (task?.doing as AtGate | undefined)?.owners[0];
        const key = owner === undefined ? "" : keyOf({ leg, seq, owner });
        if (!task || !owner || pushed.has(key)) continue;
        pushed.add(key);
        push({ kind: "gate-said", task: task.id, leg, seq, owner, said });
      }
      return againAfterMs;
    },
  };
}

type At = Pick<AtGate, "leg" | "seq">;
const ownerOf = ({ owners }: AtGate): GateOwner => owners[0] ?? "human";
const isAt = (doing: AtGate, { leg, seq }: At): boolean => doing.leg === leg && doing.seq === seq;
const keyOf = ({ leg, seq, owner }: At & { readonly owner: GateOwner }): string => `${leg} ${seq} ${owner}`;

async function questionOf(
  { id, doing, run }: Task,
  blob: (hash: BlobHash) => Promise<Uint8Array>,
): Promise<GateQuestion> {
  const { leg, gate, seq, submission } = doing as AtGate;
  const owner = ownerOf(doing as AtGate);
  const brief = JSON.parse(text(await blob(run!.brief))) as Brief;
  return { task: id, leg, gate, seq, owner, submission: text(await blob(submission)), brief };
}
