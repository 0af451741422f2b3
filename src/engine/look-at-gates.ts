import type { AtGate } from "../domain/gate.ts";
import type { Input } from "../domain/input.ts";
import type { BlobHash, LegKey, Ms } from "../domain/names.ts";
import type { Task } from "../domain/task.ts";
import type { GateQuestion, Gates } from "../ports/gates.ts";
import type { Brief } from "../ports/runtime.ts";
import type { Board } from "./board.ts";
import type { Looker } from "./look.ts";

const IDLE_MS: Ms = 1_000;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Gates whose next move is the rules': all of them in one question. What was said is pushed once. */
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
      const open = new Map(waiting.map((task) => [keyOf(task.doing as AtGate), task] as const));
      for (const key of pushed) if (!open.has(key)) pushed.delete(key);
      if (waiting.length === 0) return IDLE_MS;
      const questions = await Promise.all(waiting.map((task) => questionOf(task, blob)));
      const { seen, againAfterMs } = await gates.ask(questions, permit);
      for (const { leg, seq, said } of seen) {
        const key = keyOf({ leg, seq });
        const task = open.get(key);
        if (!task || pushed.has(key)) continue;
        pushed.add(key);
        push({ kind: "gate-said", task: task.id, leg, seq, owner: "rules", said });
      }
      return againAfterMs;
    },
  };
}

const keyOf = ({ leg, seq }: { readonly leg: LegKey; readonly seq: number }): string => `${leg} ${seq}`;

async function questionOf(
  { id, doing, run }: Task,
  blob: (hash: BlobHash) => Promise<Uint8Array>,
): Promise<GateQuestion> {
  const { leg, gate, seq, submission } = doing as AtGate;
  const brief = JSON.parse(text(await blob(run!.brief))) as Brief;
  return { task: id, leg, gate, seq, submission: text(await blob(submission)), brief };
}
