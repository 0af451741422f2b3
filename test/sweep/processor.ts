import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compose } from "../../src/app/compose.ts";
import { armed, type Trigger } from "./kill.ts";

/** What the sweep hands over as the only argument, as JSON. */
export interface Life {
  /** of this trial: holds repo/, origin.git/ and what is noted */
  readonly folder: string;
  /** the driver's program */
  readonly driver: string;
  /** 1 the first, which dies at `at`; then those that finish */
  readonly life: number;
  readonly at: Trigger | null;
}

// The shipped processor on real parts, with a place to die.
const { folder, driver, life, at } = JSON.parse(process.argv[2] ?? "") as Life;
try {
  const { engine, close } = await compose({
    repo: join(folder, "repo"),
    overrides: {},
    pawl: [process.execPath, driver],
    build: "crash-sweep",
    say: () => {},
    wrap: (parts) => armed(parts, { folder, life, at }),
  });
  const ending = await engine.run("terminal", new AbortController().signal);
  await close();
  writeFileSync(join(folder, "ending.json"), JSON.stringify(ending));
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
