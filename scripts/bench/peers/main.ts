import { measureRounds, type RoundsOptions } from "./rounds.ts";
import { groundOf, rowsOf, tableOf } from "./table.ts";

/** `npm run bench:processor -- --peers`: the table, and the same as JSON in one line behind it. */
export async function benchPeers(options: RoundsOptions): Promise<void> {
  const measured = await measureRounds(options);
  const rows = rowsOf(measured);
  console.log(
    `${options.rounds} rounds in turns, ${options.inFlight} in flight, the first quarter of the steps not counted; ${groundOf(measured)}\n`,
  );
  console.log(tableOf(rows));
  console.log();
  for (const { name, packages, tasks, settings } of rows)
    console.log(`${name}: ${[...packages, `${tasks} tasks`, settings].join("; ")}`);
  console.log();
  console.log(JSON.stringify({ ...options, fsyncs: measured.fsyncs, servers: measured.servers, rows }));
}
