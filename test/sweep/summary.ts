import type { FaultKind } from "./compare.ts";
import type { Trial } from "./trial.ts";

interface Which {
  readonly seed: number;
  readonly backlog: string;
  readonly store?: string;
  readonly forge?: string;
}

export const repeatOf = (
  points: readonly string[],
  { seed, backlog, store = "sqlite", forge = "local" }: Which,
): string =>
  `npm run crash-sweep -- ${backlog === "full" ? "" : `--backlog ${backlog} `}${store === "sqlite" ? "" : `--store ${store} `}${forge === "local" ? "" : `--forge ${forge} `}--seed ${seed} ${points.length > 1 ? `--chain ${points.length} ` : ""}--only ${points.join(",")}`;

/** The table at the end. */
export function summaryOf(trials: readonly Trial[], options: Which & { readonly ms: number }): string {
  const sum = (of: (trial: Trial) => number) => trials.reduce((total, trial) => total + of(trial), 0);
  const faults = (kind: FaultKind) =>
    sum(({ comparison }) => comparison.faults.filter((one) => one.kind === kind).length);
  const failed = trials.filter(({ comparison }) => comparison.faults.length > 0);
  const rows: readonly (readonly [string, number])[] = [
    ["points", sum(({ points }) => points.length)],
    ["points not met", sum(({ points, met }) => points.length - met.length)],
    ["runs of the backlog", trials.length],
    ["restarts", sum(({ restarts }) => restarts)],
    ["drivers and workers killed", sum(({ kills }) => kills)],
    ["tasks lost", faults("lost")],
    ["things twice", faults("twice")],
    ["differing ends", faults("differs")],
    ["runs that did not end", faults("stuck")],
    ["notices repeated wrongly", faults("notice")],
    ["notices repeated (allowed)", sum(({ comparison }) => comparison.repeated)],
    ["runs with a fault", failed.length],
    ["seconds", Math.round(options.ms / 1_000)],
  ];
  const wide = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, count]) => `${name.padEnd(wide)}  ${String(count).padStart(6)}`);
  return [...table, ...failed.map(({ points }) => repeatOf(points, options))].join("\n");
}
