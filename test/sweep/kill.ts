import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Fact } from "../../src/domain/fact.ts";
import type { Input } from "../../src/domain/input.ts";
import type { TraceIntent } from "../../src/domain/intent.ts";
import { type LegKey, parseLeg } from "../../src/domain/names.ts";
import type { Parts } from "../../src/engine/parts.ts";
import type { Tick } from "../../src/ports/store.ts";

/** File of a trial's folder: at which points it died, by name. */
export const DIED = "died";
/** Where this process kills itself. */
export interface Trigger {
  readonly key: string;
  readonly moment: "before" | "during" | "after";
}

/**
 * Hands on the ports that write down every effect and commit (`trace`), and every notice that goes out (`notices`), and
 * die at the first of `at` that is met, which is written down too: `before` the call, `during` it (the outside was touched, nobody has heard), `after` it (the engine
 * has heard, and the commit of its end has not begun). For a commit: before and after its transaction.
 */
export function armed(
  parts: Parts,
  { folder, life, at }: { folder: string; life: number; at: readonly Trigger[] },
): Parts {
  const intents = new Map<string, string>();
  const die = (key: string, moment: Trigger["moment"]) => {
    if (!at.some((one) => one.key === key && one.moment === moment)) return;
    appendFileSync(join(folder, DIED), `${key}@${moment}\n`);
    for (;;) process.kill(process.pid, "SIGKILL");
  };
  const note = (file: string, line: string) => appendFileSync(join(folder, file), `${life} ${line}\n`);
  const around = async <T>(kind: string, key: string, call: () => Promise<T>): Promise<T> => {
    note("trace", `effect ${kind} ${key}`);
    die(key, "before");
    const result = await call();
    die(key, "during");
    return result;
  };
  const keyOf = (name: string) => intents.get(name) ?? `earlier/${name}`;
  const { store, runtime, forge, channels } = parts;
  return {
    ...parts,
    store: {
      ...store,
      async commit(epoch, ...ticks) {
        for (const { facts, inputs } of ticks) {
          for (const intent of facts.flatMap(intended)) intents.set(nameOf(intent), intent.key);
          for (const key of inputs.flatMap(endedKey)) die(key, "after");
        }
        for (const { seq } of ticks) die(`commit-${seq}`, "before");
        const done = await store.commit(epoch, ...ticks);
        for (const tick of ticks) note("trace", `commit ${tick.seq} ${saidBy(tick)}`);
        for (const { seq } of ticks) die(`commit-${seq}`, "after");
        return done;
      },
    },
    runtime: {
      ...runtime,
      spawn: (order, permit) => around("spawn", keyOf(`spawn ${order.wish.leg}`), () => runtime.spawn(order, permit)),
      deliver: (leg, name, message, permit) =>
        around("deliver", keyOf(`deliver ${leg} ${name}`), () => runtime.deliver(leg, name, message, permit)),
      stop: (leg, why, permit) => around("stop", keyOf(`stop ${leg} ${why}`), () => runtime.stop(leg, why, permit)),
      reap: (leg, permit) => around("reap", reapKey(leg), () => runtime.reap(leg, permit)),
      cleanUp: (task, permit) => around("clean-up", keyOf(`clean-up ${task.id}`), () => runtime.cleanUp(task, permit)),
    },
    forge: {
      ...forge,
      perform: (intent, body, permit) => around(intent.kind, intent.key, () => forge.perform(intent, body, permit)),
    },
    channels: channels.map((channel) => ({
      notify: (notice, permit) =>
        around("notify", notice.key, () => {
          note("notices", `${permit.epoch} ${notice.event} ${notice.key}`);
          return channel.notify(notice, permit);
        }),
    })),
  };
}

const intended = (fact: Fact): readonly TraceIntent[] => (fact.kind === "effect-intended" ? [fact.intent] : []);

/** What the Runtime is told of an intent, which has no key of its own. */
function nameOf(intent: TraceIntent): string {
  switch (intent.kind) {
    case "spawn":
      return `spawn ${intent.wish.leg}`;
    case "deliver":
      return `deliver ${intent.leg} ${intent.name}`;
    case "stop":
      return `stop ${intent.leg} ${intent.why}`;
    case "clean-up":
      return `clean-up ${intent.task}`;
    default:
      return intent.key;
  }
}

const reapKey = (leg: LegKey): string => {
  const { task, visit } = parseLeg(leg);
  return `${task}/${visit}/reap/${leg.slice(leg.lastIndexOf("/") + 1)}`;
};

const endedKey = (input: Input): readonly string[] => {
  if (input.kind === "effect-ended") return [input.key];
  return input.kind === "run-ended" ? [reapKey(input.leg)] : [];
};

const saidBy = ({ inputs, facts }: Tick): string =>
  [...inputs, ...facts].map((one) => one.kind + ("task" in one && one.task ? `(${one.task})` : "")).join(" ");
