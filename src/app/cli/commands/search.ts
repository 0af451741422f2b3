import { resolve } from "node:path";
import { ripgrep } from "../../../adapters/system/ripgrep.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { SearchQuery, SearchResult } from "../../../ports/searcher.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { onStopOrder } from "../stop-signals.ts";
import { foundDocument, foundNotes, foundText } from "../views/search.ts";

interface Options {
  readonly glob?: readonly string[];
  readonly type?: readonly string[];
  readonly context?: string;
  readonly limit?: string;
  readonly fixedStrings?: boolean;
  readonly ignoreCase?: boolean;
  readonly caseSensitive?: boolean;
  readonly word?: boolean;
  readonly multiline?: boolean;
  readonly hidden?: boolean;
  readonly ignore?: boolean;
}

const USUAL_LIMIT = 200;

/** `pawl search PATTERN [PATH…]`: matched lines in the order of their paths. Exit 0: found; 1: there is none. */
export async function run(
  ctx: Context,
  [pattern = "", ...paths]: readonly string[],
  options: Options,
): Promise<number> {
  const stop = new AbortController();
  const listening = onStopOrder(() => stop.abort());
  try {
    const query = queryOf({ pattern, paths, options, cwd: resolve(ctx.cwd, ctx.flags.repo ?? ".") });
    const result = await ripgrep().search({ ...query, signal: stop.signal });
    if (ctx.flags.json) ctx.json(foundDocument(result));
    else tell(ctx, result, query);
    return result.matchedFiles > 0 ? EXIT.done : EXIT.no;
  } finally {
    listening.off();
  }
}

function queryOf(of: {
  readonly pattern: string;
  readonly paths: readonly string[];
  readonly options: Options;
  readonly cwd: string;
}): SearchQuery {
  const { options } = of;
  const limit = count("--limit", options.limit ?? String(USUAL_LIMIT));
  return {
    pattern: of.pattern,
    paths: of.paths,
    cwd: of.cwd,
    root: null,
    isLiteral: options.fixedStrings ?? false,
    letterCase: options.ignoreCase ? "ignore" : options.caseSensitive ? "sensitive" : "smart",
    wholeWords: options.word ?? false,
    multiline: options.multiline ?? false,
    globs: options.glob ?? [],
    types: options.type ?? [],
    hidden: options.hidden ?? false,
    ignored: options.ignore === false,
    context: count("-C", options.context ?? "0"),
    limit: limit === 0 ? null : limit,
  };
}

function count(flag: string, text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new PawlError("USAGE", `${flag} takes a number, and is "${text}"`, { next: "pawl search --help" });
}

function tell(ctx: Context, result: SearchResult, query: SearchQuery): void {
  for (const line of foundText(result, query)) ctx.out(line);
  for (const note of foundNotes(result)) ctx.say(note);
  if (result.matchedFiles === 0) ctx.say("nothing was found");
}
