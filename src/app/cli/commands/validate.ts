import type { PawlError } from "../../../domain/errors.ts";
import { origins } from "../../config/origins.ts";
import { type Configuration, readConfiguration } from "../../config/reading.ts";
import type { Context } from "../context.ts";
import { errorJson } from "../error-text.ts";
import { EXIT } from "../exit-code.ts";
import { oneLine, table } from "../printable.ts";
import { marksOf } from "../views/marks.ts";

type Options = { readonly print?: boolean };

/** `pawl validate`: everything that is wrong in pawl.yaml, every map, every role and every task file. Exit 0, or 2 where something is. */
export async function run(ctx: Context, _args: readonly string[], { print = false }: Options): Promise<number> {
  const repo = await ctx.repo();
  const configuration = await readConfiguration({ repo, overrides: ctx.overrides, every: true });
  const { errors, warnings } = graded(configuration);
  const values = print ? origins(configuration, ctx.overrides) : [];
  if (ctx.flags.json) {
    const document = { ok: errors.length === 0, errors: errors.map(errorJson), warnings: warnings.map(errorJson) };
    ctx.json(print ? { ...document, values } : document);
    return errors.length === 0 ? EXIT.done : EXIT.usage;
  }
  for (const line of table(
    values.map(({ key, value, from }) => [key, from, shown(value, marksOf(ctx.colour.unicode).unknown)]),
  ))
    ctx.out(line);
  ctx.warn(warnings);
  if (errors.length > 0) return ctx.fail(errors, "Nothing was started.");
  const { specs } = configuration.reading;
  ctx.out(
    `${ctx.colour.green("ok")}  pawl.yaml, map ${configuration.usualMap?.name}, ${specs.length} task${specs.length === 1 ? "" : "s"}`,
  );
  return EXIT.done;
}

/** That nobody names an agent is no fault of the files: `pawl run --agent` names one. */
function graded({ reading }: Configuration): { errors: readonly PawlError[]; warnings: readonly PawlError[] } {
  const isMild = ({ code, data }: PawlError): boolean => code === "AGENT_MISSING" && data.none === true;
  return {
    errors: reading.errors.filter((error) => !isMild(error)),
    warnings: [...reading.errors.filter(isMild), ...reading.warnings],
  };
}

const shown = (value: unknown, unknown: string): string =>
  typeof value === "string" ? oneLine(value) : value === null ? unknown : oneLine(JSON.stringify(value));
