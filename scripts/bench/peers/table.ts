import { cpus, loadavg, release } from "node:os";
import { median } from "../figure.ts";
import { countedSteps, type Measured, type Side } from "./rounds.ts";

/** At least so many times as fast as this peer, by the name it begins with. */
const TARGETS: Readonly<Record<string, number>> = { BullMQ: 1, "pg-boss": 10, "graphile-worker": 10, DBOS: 10 };

export interface Row {
  readonly name: string;
  readonly stepsPerSecond: number;
  readonly slowest: number;
  readonly fastest: number;
  readonly cpuMsPerStep: number;
  readonly serverMsPerStep: number;
  /** how many times as fast Pawl is, by the median of the rounds' ratios: on SQLite, on PostgreSQL */
  readonly sqliteIs: number;
  readonly postgresIs: number;
  readonly target: number | null;
  readonly tasks: number;
  readonly packages: readonly string[];
  readonly settings: string;
}

export function rowsOf({ sides }: Measured): readonly Row[] {
  const [sqlite, postgres] = sides as [Side, Side];
  return sides.map((side) => {
    const speeds = speedsOf(side);
    const per = (of: "cpuMs" | "serverMs") => median(side.runs.map((run) => run[of] / countedSteps(side.tasks)));
    return {
      name: side.peer.name,
      stepsPerSecond: median([...speeds]),
      slowest: Math.min(...speeds),
      fastest: Math.max(...speeds),
      cpuMsPerStep: per("cpuMs"),
      serverMsPerStep: per("serverMs"),
      sqliteIs: ratio(sqlite, side),
      postgresIs: ratio(postgres, side),
      target: Object.entries(TARGETS).find(([name]) => side.peer.name.startsWith(name))?.[1] ?? null,
      tasks: side.tasks,
      packages: side.peer.packages,
      settings: side.peer.settings,
    };
  });
}

const speedsOf = ({ runs, tasks }: Side): readonly number[] => runs.map(({ seconds }) => countedSteps(tasks) / seconds);
const ratio = (ours: Side, theirs: Side): number =>
  median(speedsOf(ours).map((speed, round) => speed / speedsOf(theirs)[round]!));

export function tableOf(rows: readonly Row[]): string {
  const head =
    "| engine | steps/s | slowest, fastest | CPU ms a step | server's | Pawl on SQLite is | on PostgreSQL | target |";
  const lines = rows.map((row) =>
    [
      row.name,
      row.stepsPerSecond.toFixed(0),
      `${row.slowest.toFixed(0)}, ${row.fastest.toFixed(0)}`,
      row.cpuMsPerStep.toFixed(2),
      row.serverMsPerStep.toFixed(2),
      `${row.sqliteIs.toFixed(2)} x`,
      `${row.postgresIs.toFixed(2)} x`,
      row.target === null ? "" : `${row.target} x${row.sqliteIs < row.target ? ", missed" : ""}`,
    ].join(" | "),
  );
  return [head, "|---|---|---|---|---|---|---|---|", ...lines.map((line) => `| ${line} |`)].join("\n");
}

/** Where it was measured, in words that name no machine. */
export const groundOf = ({ fsyncs, servers }: Measured): string =>
  `${cpus().length} cores, Node ${process.versions.node}, kernel ${release()}, load ${loadavg()[0]!.toFixed(1)}, ${median([...fsyncs]).toFixed(0)} fsyncs of 4 KiB a second (${Math.min(...fsyncs).toFixed(0)} to ${Math.max(...fsyncs).toFixed(0)}); ${servers}`;
