import type { PlannedFile } from "../../../workspace/edit/plan.ts";
import type { EditError } from "../../../workspace/edit/refusal.ts";
import type { Palette } from "../palette.ts";
import { oneLine, padEnd, printable, width } from "../printable.ts";
import { counted } from "./amounts.ts";

interface Options {
  readonly ink: Palette;
  readonly dry: boolean;
}

/** What was done, a line for each file, or what would be. */
export function editedLines(files: readonly PlannedFile[], { dry }: Options): readonly string[] {
  const end = dry
    ? `${counted(files.length, "file")} would change; nothing was written.`
    : `${counted(files.length, "file")} changed.`;
  return [...fileLines(files, columnOf(files.map(({ path }) => path))), end];
}

/** What does not fit, beside what does; nothing of it was written. */
export function refusedLines(
  files: readonly PlannedFile[],
  errors: readonly EditError[],
  { ink, dry }: Options,
): readonly string[] {
  const bad = new Set(errors.map(({ path }) => path));
  const good = files.filter(({ path }) => !bad.has(path));
  const column = columnOf([...good, ...errors].map(({ path }) => path));
  const all = good.length + bad.size;
  const was = dry ? "would be" : "was";
  const isThere = good.length === 0 && errors.every(({ code }) => code === "ALREADY_APPLIED");
  const of = bad.has("") ? "It cannot be applied" : `${bad.size} of ${counted(all, "file")} cannot be applied`;
  return [
    ...fileLines(good, column),
    ...errors.flatMap((error) => errorLines(error, column, ink)),
    isThere
      ? "All of it is there already: nothing is left to do. (exit 1)"
      : `${of}, so nothing ${was} written. (exit 1)`,
  ];
}

const columnOf = (paths: readonly string[]): number =>
  Math.min(60, Math.max(0, ...paths.map((path) => width(oneLine(path)))));
const pathCell = (path: string, column: number): string => padEnd(oneLine(path), column);

function fileLines(files: readonly PlannedFile[], column: number): readonly string[] {
  const told = files.map(({ path, ...file }) => ({
    path,
    cells: cellsOf(file),
    sums: `+${file.added} -${file.removed}`,
  }));
  const most = Math.max(0, ...told.map(({ cells }) => cells.length));
  const widths = Array.from({ length: most }, (_, i) => Math.max(...told.map(({ cells }) => width(cells[i] ?? ""))));
  return told.map(({ path, cells, sums }) =>
    [pathCell(path, column), ...widths.map((columns, i) => padEnd(cells[i] ?? "", columns)), sums].join("   "),
  );
}

/** So many hunks are told one by one; of more, how many were found in which way. */
const EACH = 3;

function cellsOf({ change, from, hunks, note }: Omit<PlannedFile, "path">): readonly string[] {
  const what = change === "modified" ? [] : [change === "moved" ? `moved from ${oneLine(from ?? "")}` : change];
  const each = hunks.map(({ rung, line, context }, i) => {
    const less = context === undefined ? "" : ` with ${context} of context`;
    return `hunk ${i + 1} ${rung}${less}, line ${line}`;
  });
  const rungs = [...new Set(hunks.map(({ rung }) => rung))];
  const summed = rungs.map((rung) => `${hunks.filter((hunk) => hunk.rung === rung).length} ${rung}`).join(", ");
  const told = each.length > EACH ? [`${hunks.length} hunks: ${summed}`] : each;
  return [...what, ...told, ...(note === undefined ? [] : [note])];
}

function errorLines(
  { code, path, message, hint, excerpt }: EditError,
  column: number,
  ink: Palette,
): readonly string[] {
  const lead = path === "" ? "" : `${pathCell(path, column)}   `;
  const first = `${lead}${ink.red(`error[${code}]`)} ${oneLine(message)}; ${oneLine(hint)}`;
  const place =
    excerpt === undefined
      ? []
      : printable(excerpt)
          .split("\n")
          .map((line) => ink.dim(`    ${line}`));
  return [first, ...place];
}
