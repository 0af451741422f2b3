import type { EffectResult } from "../../domain/input.ts";
import type { Commit, Instant } from "../../domain/names.ts";
import type { HostParts } from "./parts.ts";

export type Refused = Exclude<EffectResult, { kind: "done" }>;

/** Certainly not done, and nothing changes by waiting. */
export const refuse = (
  code: Extract<Refused, { kind: "refused" }>["code"],
  detail: string,
  actual: Commit | null = null,
): Refused => ({ kind: "refused", code, detail, files: [], actual });

const later =
  (owner: "forge" | "host" | "human", ms: number) =>
  (detail: string, on: Pick<HostParts, "clock">): Refused => ({
    kind: "later",
    until: Math.round(on.clock.read().wall + ms) as Instant,
    owner,
    detail,
  });

/** A person has to take away what is in the way; it is looked at again by itself meanwhile. `detail` says how. */
export const theirs = later("human", 10_000);
/** The base does not have it yet. */
export const notYet = later("forge", 5_000);
/** This machine cannot do it now. */
export const notHere = later("host", 30_000);
