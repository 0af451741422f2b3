import { join, relative, resolve } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import { tasksFolder } from "../../config/assemble.ts";
import { readConfiguration } from "../../config/reading.ts";
import { taskFolder } from "../../config/task-folder.ts";
import { readText } from "../../config/text-file.ts";
import { readerOf } from "../../import/import-file.ts";
import { type MadeTask, madeTasks } from "../../import/made-tasks.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { newFile } from "../new-file.ts";
import { oneLine, table } from "../printable.ts";
import { counted } from "../views/amounts.ts";

interface Options {
  readonly from?: string;
  readonly dry?: boolean;
}

/** `pawl import FILE`: task files of what another tool has. A task file that is there is never written over. */
export async function run(ctx: Context, [file = ""]: readonly string[], { from, dry }: Options): Promise<number> {
  const read = readerOf(file, from);
  const repo = await ctx.repo();
  const path = resolve(ctx.cwd, file);
  const text = readText(repo, relative(repo, path));
  if (text instanceof PawlError) throw text;
  const folder = tasksFolder((await readConfiguration({ repo, overrides: {} })).file);
  const there = await taskFolder(repo).read(folder);
  const known = new Set(there.flatMap(({ id }) => (id ? [id.name] : [])));
  const { tasks, over } = madeTasks(await read(text, file), { file, known });
  const taken = new Set([...known].map((id) => id.toLowerCase()));
  const fresh = tasks.filter(({ id }) => !taken.has(id.toLowerCase()));
  const wrote = dry ? fresh : fresh.filter(({ id, text }) => newFile(join(repo, folder, `${id}.md`), text));
  tell(ctx, { file, folder, wrote, over, dry: dry ?? false, kept: tasks.filter((task) => !wrote.includes(task)) });
  return EXIT.done;
}

interface Told {
  readonly file: string;
  readonly folder: string;
  readonly dry: boolean;
  readonly wrote: readonly MadeTask[];
  readonly kept: readonly MadeTask[];
  readonly over: readonly string[];
}

function tell(ctx: Context, { file, folder, dry, wrote, kept, over }: Told): void {
  const isEmpty = wrote.length + kept.length + over.length === 0;
  const note = isEmpty ? { note: `${oneLine(file)} holds nothing that could be a task: ${SHAPES}` } : {};
  const paths = (tasks: readonly MadeTask[]) => tasks.map(({ id }) => `${folder}/${id}.md`);
  if (ctx.flags.json)
    return ctx.json({ ok: true, dry, [dry ? "would_write" : "wrote"]: paths(wrote), kept: paths(kept), over, ...note });
  if (note.note !== undefined) return ctx.out(note.note);
  const rows = wrote.map(({ id, title, deps }) => [
    dry ? "would write" : "wrote",
    `${folder}/${id}.md`,
    title,
    deps.join(" "),
  ]);
  for (const line of table(rows)) ctx.out(line);
  if (kept.length > 0) ctx.out(`kept as they are: ${paths(kept).join(", ")}`);
  if (over.length > 0) ctx.out(`done there already, so no task: ${over.map(oneLine).join(", ")}`);
  ctx.out(
    dry ? `${counted(wrote.length, "task file")} in all; nothing was written` : `next:   pawl validate; pawl run --dry`,
  );
}

/** What is looked for, in a word for each kind of file. */
const SHAPES = 'a check list has lines like "- [ ] words", a table rows, beads a JSON a line, Task Master a list tasks';
