import { isInvalid } from "../../../device/device-action.ts";
import { DIALECTS, type Reading, readAnswer } from "../../../device/parse/read-answer.ts";
import { SPACES, USUAL_SPACE } from "../../../device/parse/space.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { AnswerDialect, CoordinateSpace } from "../../../ports/model-spec.ts";
import { nearest } from "../../config/nearest.ts";
import type { Context } from "../context.ts";

interface Options {
  readonly dialect?: string;
  readonly space?: string;
  readonly frame?: string;
}

/**
 * `pawl device parse`: a model's answer on stdin, the action that it means as JSON on stdout; for those who try out a
 * model. Throws ACTION_INVALID (exit 1) where it means none, USAGE where it is not said how to read it.
 */
export async function run(ctx: Context, _: readonly string[], options: Options): Promise<number> {
  const reading = readingOf(options);
  const bytes = await ctx.input();
  if (bytes === null) throw usage("no answer of a model comes on stdin");
  const { thinking, action } = readAnswer(Buffer.from(bytes).toString("utf8"), reading);
  if (isInvalid(action))
    throw new PawlError("ACTION_INVALID", `ActionValidationError: ${action.message}`, {
      next: "see whether --dialect and --space are those of this model.",
      data: { given: action.given, allowed: action.allowed },
    });
  if (ctx.flags.json) ctx.json({ ok: true, thinking, action });
  else ctx.out(JSON.stringify(action));
  return 0;
}

function readingOf(options: Options): Reading {
  const dialect = wordOf<AnswerDialect>("dialect", options.dialect ?? "pawl", Object.keys(DIALECTS) as AnswerDialect[]);
  const space = options.space === undefined ? USUAL_SPACE[dialect] : wordOf("space", options.space, SPACES);
  if (space === null)
    throw usage(`models of the dialect ${dialect} count in different spaces: say which with --space`, dialect);
  const frame = options.frame === undefined ? null : frameOf(options.frame);
  if (frame === null && isOfPixels(space)) throw usage(`--space ${space} needs --frame: the size of the picture`);
  return { dialect, space, frame };
}

const isOfPixels = (space: CoordinateSpace): boolean => space === "pixel" || space === "pixel-28";

function wordOf<W extends string>(flag: string, word: string, known: readonly W[]): W {
  if ((known as readonly string[]).includes(word)) return word as W;
  const meant = nearest(word, known);
  throw new PawlError("USAGE", `--${flag} cannot be "${word}": it is one of ${known.join(", ")}`, {
    next: `write --${flag} ${meant ?? known[0]}`,
  });
}

function frameOf(text: string): { readonly width: number; readonly height: number } {
  const found = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(text);
  if (found) return { width: Number(found[1]), height: Number(found[2]) };
  throw usage(`--frame cannot be "${text}": it is WIDTHxHEIGHT in pixels, like 1080x2340`);
}

const usage = (what: string, dialect = "ui-tars"): PawlError =>
  new PawlError("USAGE", what, { next: `pawl device parse --dialect ${dialect} --space 0-1000 < answer.txt` });
