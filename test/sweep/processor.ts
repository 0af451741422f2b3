import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { compose } from "../../src/app/compose.ts";
import { SHIM_ENV } from "./git-shim.ts";
import { armed, type Trigger } from "./kill.ts";

/** What the sweep hands over as the only argument, as JSON. */
export interface Life {
  /** of this trial: holds repo/, origin.git/ and what is noted */
  readonly folder: string;
  /** address of the store; null: the file that is usual */
  readonly store: string | null;
  /** the driver's program */
  readonly driver: string;
  /** counted from 1 */
  readonly life: number;
  /** it dies at the first of these that it meets */
  readonly at: readonly Trigger[];
  /** folder of the shim; `n`: the command of git at which it dies; null: git as it is, which costs half the processes */
  readonly shim: { readonly folder: string; readonly n: number; readonly moment: string } | null;
}

// The shipped processor on real parts, with a place to die.
const { folder, store, driver, life, at, shim } = JSON.parse(process.argv[2] ?? "") as Life;
if (life === 1 && shim !== null) {
  process.env.PATH = [shim.folder, process.env.PATH].join(delimiter);
  process.env[SHIM_ENV.folder] = folder;
  process.env[SHIM_ENV.processor] = String(process.pid);
  process.env[SHIM_ENV.at] = String(shim.n);
  process.env[SHIM_ENV.moment] = shim.moment;
}
try {
  const { engine, close } = await compose({
    repo: join(folder, "repo"),
    overrides: store === null ? {} : { store: { value: store, from: "crash-sweep" } },
    pawl: [process.execPath, driver],
    build: "crash-sweep",
    say: () => {},
    wrap: (parts) => {
      writeFileSync(join(folder, `life-${life}`), String(process.pid));
      return armed(parts, { folder, life, at });
    },
  });
  const ending = await engine.run("terminal", new AbortController().signal);
  await close();
  writeFileSync(join(folder, "ending.json"), JSON.stringify(ending));
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
