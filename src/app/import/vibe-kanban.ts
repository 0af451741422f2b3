import { itemsOfCsv, readTable, type Table } from "./csv.ts";
import { bad, type Item, type ReadItems } from "./item.ts";

/**
 * `issues.csv` of Vibe Kanban's export, a zip of tables. Its columns are those of `export_data` in
 * crates/remote/src/routes/export.rs of github.com/BloopAI/vibe-kanban (April 2026). An issue waits for its parts, which
 * name it as their parent; what blocks it is not exported. Each status has a name of the project's own: done is what has
 * a date in Completed, or a usual name. The priority, and the project where there are several, become labels.
 */
export const readVibeKanban: ReadItems = async (text, file) => {
  const table = await readTable(text, file);
  if (!isVibeKanban(table))
    throw bad(file, `its first row is not that of issues.csv: it names no ${missing(table)}`, 1);
  return itemsOf(table, file);
};

/** A CSV, Vibe Kanban's where its first row is. */
export const readCsvOrVibeKanban: ReadItems = async (text, file) => {
  const table = await readTable(text, file);
  return isVibeKanban(table) ? itemsOf(table, file) : itemsOfCsv(table, file);
};

const COLUMNS = ["issue id", "title", "description", "status", "project", "completed", "parent issue"];
const missing = ({ names }: Table): string | undefined => COLUMNS.find((name) => !names.includes(name));
const isVibeKanban = (table: Table): boolean => missing(table) === undefined;

/** In each project as it is made; they can be given other names. */
const OVER = new Set(["done", "cancelled", "canceled"]);

function itemsOf({ rows }: Table, file: string): readonly Item[] {
  const parts = new Map<string, string[]>();
  for (const { cell } of rows) {
    const parent = cell("parent issue");
    if (parent !== "") parts.set(parent, [...(parts.get(parent) ?? []), cell("issue id")]);
  }
  const isOne = new Set(rows.map(({ cell }) => cell("project"))).size === 1;
  return rows.map(({ line, cell }) => {
    const [key, title] = [cell("issue id"), cell("title")];
    if (key === "" || title === "") throw bad(file, `a row has no ${key === "" ? "Issue ID" : "Title"}`, line);
    const labels = [cell("priority").toLowerCase(), isOne ? "" : cell("project")];
    return {
      ...{ key, title, body: cell("description"), criteria: [], line },
      deps: parts.get(key) ?? [],
      labels: labels.filter((label) => label !== ""),
      isOver: cell("completed") !== "" || OVER.has(cell("status").toLowerCase()),
    };
  });
}
