import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { PawlError } from "../../../domain/errors.ts";
import { idFault } from "../../../domain/names.ts";
import { tasksFolder } from "../../config/assemble.ts";
import { nearest } from "../../config/nearest.ts";
import { readConfiguration } from "../../config/reading.ts";
import { taskFolder } from "../../config/task-folder.ts";
import type { Context } from "../context.ts";
import { newFile } from "../new-file.ts";

type Options = { readonly dep?: readonly string[]; readonly type?: string; readonly edit?: boolean };

/** `pawl add TITLE`: a task file with the next free id, never over one that is there. */
export async function run(ctx: Context, words: readonly string[], options: Options): Promise<number> {
  const title = words.join(" ").replace(/\s+/g, " ").trim();
  if (title === "") throw new PawlError("USAGE", "the title is empty", { next: 'pawl add "Search by colour"' });
  const repo = await ctx.repo();
  const { file } = await readConfiguration({ repo, overrides: {} });
  const folder = tasksFolder(file);
  const taken = await takenIds(repo, folder);
  checkDeps(options.dep ?? [], [...taken.files]);
  const text = taskText({ title, ...options });
  const id = writeFree(join(repo, folder), text, taken.all);
  const path = `${folder}/${id}.md`;
  if (ctx.flags.json) ctx.json({ ok: true, id, path });
  else ctx.out(`wrote   ${path}`);
  if (options.edit) edit(ctx, join(repo, path));
  return 0;
}

/** Ids of task files, and those that only the run folders still know: a new task must not take over an old one's. */
async function takenIds(
  repo: string,
  folder: string,
): Promise<{ files: ReadonlySet<string>; all: ReadonlySet<string> }> {
  const tasks = await taskFolder(repo).read(folder);
  const files = new Set(tasks.flatMap(({ id }) => (id ? [id.name] : [])));
  return { files, all: new Set([...files, ...namesIn(join(repo, ".pawl", "runs"))]) };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function checkDeps(deps: readonly string[], known: readonly string[]): void {
  for (const dep of deps) {
    if (known.includes(dep)) continue;
    const meant = nearest(dep, known);
    throw new PawlError("DEPS_UNKNOWN", idFault(dep) ?? `there is no task ${dep} to depend on`, {
      next: meant === null ? "pawl status shows the tasks that there are." : `--dep ${meant}`,
    });
  }
}

function taskText({ title, dep = [], type }: { title: string } & Options): string {
  const flow = (value: unknown): string =>
    stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trimEnd();
  const deps = dep.length === 0 ? [] : [`deps: ${flow([...new Set(dep)])}`];
  const kind = type === undefined ? [] : [`type: ${flow(type)}`];
  return ["---", `title: ${flow(title)}`, ...deps, ...kind, "---", `${title}.`, ""].join("\n");
}

/** Made exclusively: two that add at once get two ids. */
function writeFree(folder: string, text: string, taken: ReadonlySet<string>): string {
  const numbers = [...taken].flatMap((id) => /^task-(\d{1,9})$/i.exec(id)?.[1] ?? []).map(Number);
  for (let number = Math.max(0, ...numbers) + 1; ; number++) {
    const id = `task-${String(number).padStart(3, "0")}`;
    if (newFile(join(folder, `${id}.md`), text)) return id;
  }
}

function edit(ctx: Context, path: string): void {
  const editor = ctx.env.VISUAL || ctx.env.EDITOR;
  if (!editor || !ctx.isTerminal)
    return ctx.say(
      `note: ${editor ? "there is no terminal to edit on" : "$EDITOR is not set"}; open the file yourself`,
    );
  // Through the shell, as git does: "code --wait" is two words.
  const { status } = spawnSync("/bin/sh", ["-c", `${editor} "$1"`, editor, path], { stdio: "inherit" });
  if (status !== 0) ctx.say(`note: the editor ended with ${status ?? "a signal"}; the file is as it is`);
}
