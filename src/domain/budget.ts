import type { Ms, RunKey } from "./names.ts";

/** Money in millionths of a US dollar, tokens, wall time in ms, and how many times a worker was started. */
export interface Amount {
  readonly microUsd: number;
  readonly tokens: number;
  readonly wallMs: Ms;
  readonly spawns: number;
}
/** null: no bound. */
export type Limit = { readonly [K in keyof Amount]: number | null };

/** What a task has spent and what its live runs may still spend. */
export interface Ledger {
  readonly spent: Amount;
  readonly reserved: Readonly<Record<RunKey, Amount>>;
  /** added by `pawl extend` */
  readonly extra: Amount;
  /** runs whose usage was never reported and is charged as reserved */
  readonly estimated: readonly RunKey[];
  /** false as long as no run reported money or tokens: then they are shown as – */
  readonly moneyKnown: boolean;
  /** a run told its tokens and no money: where none is spent, that is no price of 0; absent: none did */
  readonly unpriced?: true;
}

export const NOTHING: Amount = { microUsd: 0, tokens: 0, wallMs: 0, spawns: 0 };
export const UNLIMITED: Limit = { microUsd: null, tokens: null, wallMs: null, spawns: null };
export const KINDS = ["microUsd", "tokens", "wallMs", "spawns"] as const satisfies readonly (keyof Amount)[];
export const emptyLedger: Ledger = { spent: NOTHING, reserved: {}, extra: NOTHING, estimated: [], moneyKnown: false };

export const add = (a: Amount, b: Amount): Amount => each((kind) => a[kind] + b[kind]);
export const subtract = (a: Amount, b: Amount): Amount => each((kind) => a[kind] - b[kind]);
const each = (of: (kind: keyof Amount) => number): Amount => ({
  microUsd: of("microUsd"),
  tokens: of("tokens"),
  wallMs: of("wallMs"),
  spawns: of("spawns"),
});

export const reservedIn = (ledger: Ledger): Amount => Object.values(ledger.reserved).reduce(add, NOTHING);

/** What is left of a limit after what was spent and reserved; null where there is no bound. */
export function left(limit: Limit, used: Amount, extra: Amount = NOTHING): Limit {
  const rest = (kind: keyof Amount) => (limit[kind] === null ? null : limit[kind] + extra[kind] - used[kind]);
  return { microUsd: rest("microUsd"), tokens: rest("tokens"), wallMs: rest("wallMs"), spawns: rest("spawns") };
}

/** What one spawn reserves, or the kind of which nothing is left. `share`: how many spawns divide what only the backlog bounds. */
export function reservation(
  task: Limit,
  backlog: Limit,
  { wallMs, share }: { wallMs: Ms; share: number },
): { readonly amount: Amount } | { readonly short: keyof Amount; readonly of: "task" | "backlog" } {
  for (const kind of KINDS) {
    if ((task[kind] ?? 1) <= 0) return { short: kind, of: "task" };
    if ((backlog[kind] ?? 1) <= 0) return { short: kind, of: "backlog" };
  }
  const money = (kind: "microUsd" | "tokens") =>
    Math.min(task[kind] ?? Math.ceil((backlog[kind] ?? 0) / share), backlog[kind] ?? Number.POSITIVE_INFINITY);
  const wall = Math.min(wallMs, task.wallMs ?? wallMs, backlog.wallMs ?? wallMs);
  return { amount: { microUsd: money("microUsd"), tokens: money("tokens"), wallMs: wall, spawns: 1 } };
}

/** The tighter of two limits, kind by kind: a task file narrows what pawl.yaml gives, never widens it. */
export function tighter(a: Limit, b: Limit): Limit {
  const pick = (kind: keyof Amount) =>
    a[kind] === null ? b[kind] : b[kind] === null ? a[kind] : Math.min(a[kind], b[kind]);
  return { microUsd: pick("microUsd"), tokens: pick("tokens"), wallMs: pick("wallMs"), spawns: pick("spawns") };
}
