import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import type { Editor, EditResult } from "../../../workspace/edit/editor.ts";
import type { Plan } from "../../../workspace/edit/plan.ts";
import { editRoot, openEditor } from "../../editor.ts";
import { scopeOf } from "../../scope.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { editedLines, refusedLines } from "../views/edit.ts";

interface Options {
  readonly dry?: boolean;
  readonly scope?: readonly string[];
}

/** `pawl edit [FILE…]`: edits from files or stdin, in any of the four formats. Exit 0: all of it was written. 1: nothing was. */
export async function run(
  ctx: Context,
  files: readonly string[],
  { dry = false, scope = [] }: Options,
): Promise<number> {
  const allowed = scopeOf(scope);
  const sent = await Promise.all((files.length === 0 ? ["-"] : files).map((file) => contentOf(ctx, file)));
  const root = await editRoot(resolve(ctx.cwd, ctx.flags.repo ?? ctx.env.PAWL_REPO ?? "."));
  const editor = openEditor(root, allowed);
  await tellRecovered(ctx, editor);
  const plan = await editor.plan(sent);
  const result = dry || plan.error ? dryResult(plan) : await editor.apply(plan);
  if (ctx.flags.json) ctx.json(documentOf(result, dry ? textOf(editor.preview(plan)) : null));
  else tell(ctx, { result, plan, dry, diff: dry && result.ok ? textOf(editor.preview(plan)) : "" });
  return result.ok ? EXIT.done : EXIT.no;
}

async function contentOf(ctx: Context, file: string): Promise<Uint8Array> {
  if (file === "-") return sentOnStdin(ctx);
  try {
    return await readFile(resolve(ctx.cwd, file));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PawlError("FILE_UNREADABLE", `${file} cannot be read: ${why}`, {
      next: "see that it is a file that you may read",
    });
  }
}

async function sentOnStdin(ctx: Context): Promise<Uint8Array> {
  const sent = await ctx.input();
  if (sent !== null) return sent;
  throw new PawlError("USAGE", "no edits were sent", { next: "pawl edit FILE, or pawl edit < FILE" });
}

async function tellRecovered(ctx: Context, editor: Editor): Promise<void> {
  for (const { outcome, left } of await editor.recover()) {
    const also = left.length === 0 ? "" : `; changed by somebody else since, and left alone: ${left.join(", ")}`;
    ctx.say(`an edit that was broken off is ${outcome}${also}`);
  }
}

const dryResult = ({ error, errors, files }: Plan): EditResult =>
  error ? { ok: false, error, errors } : { ok: true, files };

const documentOf = (result: EditResult, diff: string | null) =>
  result.ok && diff !== null ? { ok: true, dry: true, files: result.files, diff } : result;

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

function tell(
  ctx: Context,
  { result, plan, dry, diff }: { result: EditResult; plan: Plan; dry: boolean; diff: string },
): void {
  const lines = result.ok
    ? editedLines(result.files, { ink: ctx.colour, dry })
    : refusedLines(plan.files, result.errors, { ink: ctx.colour, dry });
  for (const line of lines) ctx.out(line);
  if (diff !== "") ctx.out(`\n${diff.trimEnd()}`);
}
