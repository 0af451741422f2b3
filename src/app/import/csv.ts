import { bad, type Item, type ReadItems } from "./item.ts";

/** Names that a column may have, in lower case. */
const COLUMNS = {
  key: ["id", "key"],
  title: ["title", "summary", "name"],
  body: ["body", "description", "text"],
  deps: ["deps", "dependencies", "depends on", "blocked by"],
  labels: ["labels", "tags"],
  status: ["status", "state"],
} as const;
const OVER = new Set(["done", "closed", "completed", "cancelled", "canceled"]);

/** Rows below a first row of names, which are in lower case. `cell` gives a text, empty where there is none. */
export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly { readonly line: number; cell(...names: readonly string[]): string }[];
}

/** Reads what spreadsheets write: separators of their country, quotes, `sep=`. Throws IMPORT_BAD with the line. */
export async function readTable(text: string, file: string): Promise<Table> {
  const { parse } = await import("csv-parse/sync");
  const said = /^\uFEFF?sep=(.)\r?\n/i.exec(text);
  let rows: readonly Row[];
  try {
    rows = parse(text, {
      bom: true,
      info: true,
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      delimiter: said?.[1] ?? separatorOf(text),
      // Excel's own line is no row, and counts as a line
      from_line: said === null ? 1 : 2,
    }) as unknown as readonly Row[];
  } catch (error) {
    throw bad(file, error instanceof Error ? error.message : String(error));
  }
  const [head, ...others] = rows;
  const names = (head?.record ?? []).map((name) => name.toLowerCase());
  for (const { record, info } of others) refuseMore(record.slice(names.length), { file, line: info.lines });
  const cellIn =
    (record: readonly string[]) =>
    (...wanted: readonly string[]) =>
      record[names.findIndex((name) => wanted.includes(name))] ?? "";
  return { names, rows: others.map(({ record, info }) => ({ line: info.lines, cell: cellIn(record) })) };
}

/** A table with a first row of names: `id` and `title`, and `body`, `deps`, `labels`, `status` where they are there. */
export const readCsv: ReadItems = async (text, file) => itemsOfCsv(await readTable(text, file), file);

export function itemsOfCsv({ names, rows }: Table, file: string): readonly Item[] {
  for (const column of ["key", "title"] as const)
    if (!names.some((name) => COLUMNS[column].some((known) => known === name)))
      throw bad(file, `its first row names no column ${COLUMNS[column].join(" or ")}`, 1);
  return rows.map(({ line, cell }) => itemOf((column) => cell(...COLUMNS[column]), { file, line }));
}

/** A cell too many is text that was meant for another column: a comma that nobody quoted. */
function refuseMore(more: readonly string[], { file, line }: { file: string; line: number }): void {
  const text = more.find((cell) => cell !== "");
  if (text === undefined) return;
  throw bad(
    file,
    `a row has more cells than the first row has names ("${text.slice(0, 40)}"): quote what has a separator in it`,
    line,
  );
}

/** What separates the names of the first row: spreadsheets of some countries write semicolons, others tabs. */
function separatorOf(text: string): string {
  const head = text
    .replace(/^\uFEFF/, "")
    .trimStart()
    .split(/\r?\n/, 1)[0]!
    .replace(/"[^"]*"/g, "");
  const counts = [",", ";", "\t"].map((one) => ({ one, times: head.split(one).length }));
  return counts.reduce((best, next) => (next.times > best.times ? next : best)).one;
}

/** With `info` each row brings where it ended. */
interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function itemOf(cell: (column: keyof typeof COLUMNS) => string, at: { file: string; line: number }): Item {
  const [key, title] = [cell("key"), cell("title")];
  if (key === "" || title === "") throw bad(at.file, `a row has no ${key === "" ? "id" : "title"}`, at.line);
  return {
    key,
    title,
    body: cell("body"),
    deps: parts(cell("deps"), /[,;\s]+/),
    criteria: [],
    labels: parts(cell("labels"), /[,;]+/),
    isOver: OVER.has(cell("status").toLowerCase()),
    line: at.line,
  };
}

const parts = (text: string, by: RegExp): readonly string[] =>
  text
    .split(by)
    .map((one) => one.trim())
    .filter((one) => one !== "");
