// npm run bench:workspace [-- PART…]: what the hands on a repository cost, as ratios measured in one process, in turns.
import { type Figure, figureLine } from "./figure.ts";

/** Each part is loaded when it is asked for: what one needs may not be installed. */
const PARTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  commands: async () => (await import("./commands.ts")).benchCommands(),
  edit: async () => (await import("./edit.ts")).benchEdit(),
  index: async () => (await import("./index.ts")).benchIndex(),
};

const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(name);
  for (const figure of await run()) console.log(`  ${figureLine(figure)}`);
}
