import type { GateOwner } from "../../domain/gate.ts";
import type { Gates } from "../../ports/gates.ts";

/** Each owner is asked what is its own; models are introduced when they are first asked. */
export function owners(rules: Gates, ofModel: (name: string) => Gates): Gates {
  const made = new Map<GateOwner, Gates>([["rules", rules]]);
  const gatesOf = (owner: GateOwner): Gates => {
    const gates = made.get(owner) ?? ofModel(owner.slice("model:".length));
    made.set(owner, gates);
    return gates;
  };
  return {
    async ask(questions, permit) {
      const names = [...new Set(questions.map(({ owner }) => owner))];
      const all = await Promise.all(
        // one that is asked nothing forgets what it found
        [...new Set([...made.keys(), ...names])].map((name) =>
          gatesOf(name).ask(
            questions.filter(({ owner }) => owner === name),
            permit,
          ),
        ),
      );
      return { seen: all.flatMap(({ seen }) => seen), againAfterMs: Math.min(...all.map((one) => one.againAfterMs)) };
    },
    ...(rules.rung ? { rung: (signal: AbortSignal) => rules.rung!(signal) } : {}),
    async close() {
      await Promise.all([...made.values()].map((gates) => gates.close?.()));
    },
  };
}
