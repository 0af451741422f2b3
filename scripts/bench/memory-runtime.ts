import { NOTHING } from "../../src/domain/budget.ts";
import type { EffectResult } from "../../src/domain/input.ts";
import type { SpawnWish } from "../../src/domain/intent.ts";
import type { Commit, HostName, Instant, LegKey } from "../../src/domain/names.ts";
import type { Runtime, Seen } from "../../src/ports/runtime.ts";

/** Workers in memory that do `work` and pass at once, or never end: what is left is what the processor itself costs. */
export function memoryRuntime({
  work = () => {},
  neverEnd = false,
}: {
  readonly work?: ((wish: SpawnWish) => void) | undefined;
  readonly neverEnd?: boolean | undefined;
} = {}): Runtime & { readonly spawned: () => number } {
  const done = new Set<LegKey>();
  let spawned = 0;
  let ring: () => void = () => {};
  const state: Seen = neverEnd
    ? { kind: "alive", verdictWritten: false, overBudget: false }
    : { kind: "ended", driver: "ended" };
  const nothing: EffectResult = { kind: "done", made: { what: "nothing" }, found: false };
  return {
    spawned: () => spawned,
    async spawn({ wish }) {
      spawned++;
      work(wish);
      done.add(wish.leg);
      setImmediate(() => ring());
      return {
        kind: "done",
        made: { what: "leg", leg: wish.leg, host: "memory" as HostName, at: Date.now() as Instant },
        found: false,
      };
    },
    look: async (legs) => new Map(legs.map((leg) => [leg, done.has(leg) ? state : { kind: "absent" }] as const)),
    deliver: async () => nothing,
    stop: async () => nothing,
    async reap(leg) {
      done.delete(leg);
      const head = headOf(leg);
      const change = { commits: 1, files: 1, added: 1, deleted: 0, patchId: head };
      return {
        how: "verdict",
        verdict: "PASS",
        detail: "",
        findings: [],
        complete: true,
        usage: { ...NOTHING, wallMs: 1, spawns: 1 },
        usageKnown: false,
        head,
        change,
      };
    },
    cleanUp: async () => nothing,
    async *stirred(signal) {
      let stirred = false;
      let wake: () => void = () => {};
      ring = () => {
        stirred = true;
        wake();
      };
      signal.addEventListener("abort", () => ring(), { once: true });
      while (!signal.aborted) {
        if (!stirred) await new Promise<void>((resolve) => (wake = resolve));
        stirred = false;
        yield;
      }
    },
  };
}

/** A task's first step moves its branch, like an implementer's; the others find it as it is, like a verifier's. */
const headOf = (leg: LegKey): Commit => leg.split("/")[0]!.replace(/\D/g, "").padStart(40, "0") as Commit;
