import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import { historyOf } from "../../../workspace/relevance/history-keeper.ts";
import { type RankedFile, ranker } from "../../../workspace/relevance/rank.ts";
import { readTicket } from "../../../workspace/relevance/ticket.ts";
import { withCode } from "../checkout-code.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { table } from "../printable.ts";

interface Options {
  readonly limit?: string;
}

const USUAL_LIMIT = "10";
const MAX_TICKET = 1024 * 1024;

/** `pawl rank TICKET`: the files that a ticket is about, the most likely first, with the reasons. TICKET: a file, `-`, or the text itself. */
export async function run(ctx: Context, words: readonly string[], options: Options): Promise<number> {
  const limit = limitFrom(options.limit ?? USUAL_LIMIT);
  const ticket = readTicket(await textOf(ctx, words));
  return withCode(ctx, async ({ indexer, git, histories }, root) => {
    const [index, history] = await Promise.all([indexer.refresh(), historyOf({ git, repo: root, cache: histories })]);
    const files = ranker(index, history).rank(ticket, limit);
    if (ctx.flags.json) ctx.json({ ok: true, files, of: index.files.length, skipped: index.skipped });
    else tell(ctx, files, index.files.length);
    return EXIT.done;
  });
}

function limitFrom(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0) return Number(text);
  throw new PawlError("USAGE", `--limit takes a number from 1, and is "${text}"`, { next: "pawl rank --help" });
}

async function textOf(ctx: Context, words: readonly string[]): Promise<string> {
  const text = words.join(" ");
  if (text === "-") return sentOnStdin(ctx);
  const path = resolve(ctx.cwd, text);
  const found =
    words.length === 1 && !text.includes("\0") && text.length < 4_096
      ? statSync(path, { throwIfNoEntry: false })
      : undefined;
  if (found === undefined) return notAPath(text);
  if (!found.isFile() || found.size > MAX_TICKET)
    throw new PawlError("USAGE", `${text} is no file with a ticket`, { next: "name a text file, or write the text" });
  return readFileSync(path, "utf8");
}

/** A name of a file that is not there is no ticket. */
function notAPath(text: string): string {
  if (!/^\S+\.(md|markdown|txt)$/.test(text)) return text;
  throw new PawlError("FILE_UNREADABLE", `there is no file ${text}`, { next: "name one that is there" });
}

async function sentOnStdin(ctx: Context): Promise<string> {
  const sent = await ctx.input();
  if (sent !== null) return new TextDecoder().decode(sent);
  throw new PawlError("USAGE", "no ticket was sent", { next: "pawl rank TICKET.md, or pawl rank - < TICKET.md" });
}

function tell(ctx: Context, files: readonly RankedFile[], of: number): void {
  const rows = files.map(({ path, reasons }, i) => [String(i + 1).padStart(2), path, reasons.join(" · ")]);
  for (const line of table(rows)) ctx.out(line);
  ctx.say(files.length === 0 ? `nothing in ${of} files fits` : `${files.length} of ${of} files`);
}
