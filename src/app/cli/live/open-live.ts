import { basename } from "node:path";
import type { Instant } from "../../../domain/names.ts";
import type { Processor } from "../../compose.ts";
import type { Context } from "../context.ts";
import { signOf } from "../look/run-folders.ts";
import { createLiveView, type LiveView } from "./live-view.ts";

export interface Live {
  event(line: string): void;
  note(word: string, text: string): void;
  start(processor: Processor): void;
  close(): void;
}

/**
 * What a person sees of a run while it goes on: a picture on a terminal; in a pipe, with CI, TERM=dumb or --no-live
 * complete lines; with --json each tick. What the console channel says, the lines of the facts say already: it is
 * repeated, on stderr, only beside JSON. With -q nothing is shown but errors and the end.
 */
export function openLive(ctx: Context, { wanted }: { readonly wanted: boolean }): Live {
  const { env, flags, colour } = ctx;
  const isTerminal = wanted && !flags.json && Boolean(process.stdout.isTTY) && !env.CI && env.TERM !== "dumb";
  const isShown = flags.json || !flags.quiet;
  let view: LiveView | null = null;
  return {
    event(line) {
      if (flags.json) ctx.say(line);
    },
    note: (word, text) => view?.note(word, text),
    start({ engine, settings }) {
      if (!isShown) return;
      const now = (): Instant => Date.now() as Instant;
      const { board, epoch } = engine;
      const heading = {
        repo: basename(settings.repo),
        base: settings.base,
        map: settings.maps[0]?.name ?? "default",
        epoch,
        since: now(),
      };
      const shown = createLiveView({
        stdout: process.stdout,
        stderr: process.stderr,
        isTerminal,
        json: flags.json,
        now,
        columns: () => process.stdout.columns || 80,
        rows: () => process.stdout.rows || 24,
        paint: colour,
        heading,
        board,
      });
      engine.onFaults((errors) => shown.onFaults(errors));
      engine.listen((ticked) => shown.onTick(ticked, (leg) => signOf(settings.state, leg)));
      view = shown;
    },
    close: () => view?.close(),
  };
}
