// npm run bench:workspace [-- PART…]: what the hands on a repository cost, as ratios measured in one process, in turns.
import { loadavg } from "node:os";
import { type Figure, figureLine } from "./figure.ts";

/** Each part is loaded when it is asked for: what one needs may not be installed. */
const PARTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  commands: async () => (await import("./commands.ts")).benchCommands(),
  guard: async () => (await import("./guard.ts")).benchGuard(),
  edit: async () => (await import("./edit.ts")).benchEdit(),
  index: async () => (await import("./index.ts")).benchIndex(),
};

/** What is measured beside other work is told as such: ratios hold a little longer than times. */
const QUIET = 2.5;
const loadNow = (): string => {
  const [load = 0] = loadavg();
  return `load ${load.toFixed(1)}${load > QUIET ? ", NOT QUIET" : ""}`;
};

const wanted = process.argv.slice(2);
const table: string[] = [];
for (const [name, run] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const before = loadNow();
  const lines = (await run()).map((figure) => `  ${figureLine(figure)}`);
  console.log(`${name} is measured`);
  table.push(`${name} (${before}; at its end ${loadNow()})`, ...lines);
}
console.log(table.join("\n"));
