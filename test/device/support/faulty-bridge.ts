import { PawlError } from "../../../src/domain/errors.ts";
import type { Bridge } from "../../../src/ports/bridge.ts";

/** What goes wrong with the next calls of a kind, first to last. `lands`: it is done, and then fails. */
export type Fault = "refused" | "unsure" | "lands-unsure" | "lands-refused" | "gone" | "lands-gone" | "capture" | Error;

const CODES: Readonly<Record<string, string>> = {
  refused: "SCREEN_REFUSED",
  unsure: "SCREEN_UNSURE",
  gone: "SCREEN_GONE",
  capture: "CAPTURE_FAILED",
};

type Kind = "capture" | "tree" | "tap" | "swipe" | "type" | "back" | "reconnect";

export interface FaultyBridge extends Bridge {
  /** what was asked of the real one, in order */
  readonly calls: readonly string[];
  readonly closed: () => number;
  plan(kind: Kind, ...faults: readonly (Fault | null)[]): void;
}

/** A real bridge that fails as it is told, and does all else. It is lent: closing is counted, and left to its owner. */
export function faulty(bridge: Bridge): FaultyBridge {
  const planned = new Map<string, (Fault | null)[]>();
  const calls: string[] = [];
  let closed = 0;
  const through = (name: string) => {
    const real = (bridge as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!;
    return async (...args: unknown[]) => {
      calls.push(name);
      const fault = planned.get(name)?.shift() ?? null;
      if (fault instanceof Error) throw fault;
      if (fault === null) return real.apply(bridge, args);
      if (fault.startsWith("lands-")) await real.apply(bridge, args);
      const kind = fault.replace("lands-", "");
      throw new PawlError(CODES[kind]!, `${name}: a fault of kind ${kind}`, { retryable: kind === "gone" });
    };
  };
  const names = "capture tree tap doubleTap longPress swipe type back home recent enter open state reconnect".split(
    " ",
  );
  return {
    ...(Object.fromEntries(names.map((name) => [name, through(name)])) as unknown as Bridge),
    target: bridge.target,
    abilities: bridge.abilities,
    calls,
    closed: () => closed,
    async close() {
      closed++;
    },
    plan: (kind, ...faults) => void planned.set(kind, [...(planned.get(kind) ?? []), ...faults]),
  };
}
