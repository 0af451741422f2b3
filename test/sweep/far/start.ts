import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { FAR } from "./forge.ts";
import type { FarOrder } from "./program.ts";

/** What runs beside the processors of a trial. */
export interface Far {
  /** ends it, when it has written down what became of all */
  end(): Promise<void>;
}

/** Starts the forge of a trial, and names it in its pawl.yaml, which no commit holds. */
export async function startFarOf(program: string, order: FarOrder): Promise<Far> {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(child, "exit");
  const { value: baseUrl, done } = await createInterface({ input: child.stdout! })[Symbol.asyncIterator]().next();
  if (done) throw new Error("the forge of the trial did not start");
  const keys = `kind: ${order.kind}, repo: ${FAR.repo}, token_env: ${FAR.variable}, base_url: "${baseUrl}", every: 0.5s`;
  appendFileSync(join(order.folder, "repo/pawl.yaml"), `forge: {${keys}}\n`);
  return {
    async end() {
      child.stdin!.end();
      await gone;
    },
  };
}
