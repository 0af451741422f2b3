import { PawlError } from "../../domain/errors.ts";
import { readBeads } from "./beads.ts";
import { readChecklist } from "./checklist.ts";
import { readCsv } from "./csv.ts";
import type { ReadItems } from "./item.ts";
import { readTaskmaster } from "./taskmaster.ts";

const KINDS = { taskmaster: readTaskmaster, beads: readBeads, checklist: readChecklist, csv: readCsv } as const;
/** What `--from` may say. */
export type Kind = keyof typeof KINDS;
const BY_ENDING: Readonly<Record<string, Kind>> = {
  json: "taskmaster",
  jsonl: "beads",
  md: "checklist",
  markdown: "checklist",
  csv: "csv",
};

/** How a file is read: as `from` says, else as its name ends. Throws IMPORT_UNKNOWN. */
export function readerOf(file: string, from: string | undefined): ReadItems {
  const kind = from ?? BY_ENDING[/\.([^./]+)$/.exec(file)?.[1]?.toLowerCase() ?? ""];
  if (kind !== undefined && Object.hasOwn(KINDS, kind)) return KINDS[kind as Kind];
  throw new PawlError(
    "IMPORT_UNKNOWN",
    from === undefined ? `the name of ${file} does not say what it is` : `nothing is imported from "${from}"`,
    {
      next: `--from ${Object.keys(KINDS).join(" | ")}`,
    },
  );
}
