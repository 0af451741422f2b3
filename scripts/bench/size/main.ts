import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { measureEngine } from "./engine.ts";
import { type Measure, measureLine } from "./measure.ts";
import { measureProduct } from "./product.ts";

const ACTIVE = 10;

/** `npm run bench:processor -- --size`: what a backlog of a hundred thousand costs, each figure beside its target. */
export async function benchSize(tasks: number): Promise<void> {
  execFileSync(process.execPath, ["scripts/built.mjs"]);
  console.log(
    `${tasks} tasks of 2 KB, ${ACTIVE} active; ${cpus().length} cores, Node ${process.versions.node}, load ${loadavg()[0]!.toFixed(1)}`,
  );
  const measures: Measure[] = [];
  const tell = (measure: Measure): void => {
    measures.push(measure);
    console.log(measureLine(measure));
  };
  for (const measure of await measureEngine(tasks, ACTIVE)) tell(measure);
  for await (const measure of measureProduct(tasks, ACTIVE)) tell(measure);
  console.log(JSON.stringify({ tasks, active: ACTIVE, measures }));
}
