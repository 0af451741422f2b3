import { PawlError } from "../../domain/errors.ts";
import { readBeads } from "./beads.ts";
import { readChecklist } from "./checklist.ts";
import { readCsv } from "./csv.ts";
import type { ReadItems } from "./item.ts";
import { readTaskmaster } from "./taskmaster.ts";
import { readCsvOrVibeKanban, readVibeKanban } from "./vibe-kanban.ts";

const KINDS = {
  ...{ taskmaster: readTaskmaster, beads: readBeads, checklist: readChecklist },
  ...{ csv: readCsv, "vibe-kanban": readVibeKanban },
} as const;
/** What `--from` may say. */
export type Kind = keyof typeof KINDS;
const BY_ENDING: Readonly<Record<string, Kind>> = {
  json: "taskmaster",
  jsonl: "beads",
  md: "checklist",
  markdown: "checklist",
};

/** How a file is read: as `from` says, else as its name ends. Throws IMPORT_UNKNOWN. */
export function readerOf(file: string, from: string | undefined): ReadItems {
  const ending = /\.([^./]+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  if (from === undefined && ending === "csv") return readCsvOrVibeKanban;
  if (ending === "zip") throw packed(file);
  const kind = from ?? BY_ENDING[ending];
  if (kind !== undefined && Object.hasOwn(KINDS, kind)) return KINDS[kind as Kind];
  throw new PawlError(
    "IMPORT_UNKNOWN",
    from === undefined ? `the name of ${file} does not say what it is` : `nothing is imported from "${from}"`,
    {
      next: `--from ${Object.keys(KINDS).join(" | ")}`,
    },
  );
}

/** As Vibe Kanban exports: the table of issues is one of several in it. */
const packed = (file: string): PawlError =>
  new PawlError("IMPORT_UNKNOWN", `${file} is packed`, {
    next: `unzip ${file}, then pawl import the file in it; of Vibe Kanban's export that is issues.csv`,
  });
