import type { Issues } from "../../adapters/forge/remote/issue.ts";
import type { PawlError } from "../../domain/errors.ts";
import type { IntakeSpec } from "../config/intake-key.ts";
import type { Step } from "../intake/plan.ts";
import type { ToldBack } from "../intake/write-back.ts";
import type { Context } from "./context.ts";
import { errorJson } from "./error-text.ts";
import { table } from "./printable.ts";
import { counted } from "./views/amounts.ts";

/** One repository of `intake:`, and what a sync does with its issues. */
export interface Round {
  readonly spec: IntakeSpec;
  readonly issues: Issues;
  readonly steps: readonly Step[];
}

/** What came of telling the issue of a task. */
export interface Told {
  readonly id: string;
  readonly back: ToldBack;
}

/** Says what a sync did, or would do; what stays as it is counts, and is not listed. */
export function tellSync(
  ctx: Context,
  {
    dry,
    rounds,
    told,
    failed,
  }: {
    readonly dry: boolean;
    readonly rounds: readonly Round[];
    readonly told: readonly Told[];
    /** intakes that could not be read */
    readonly failed: readonly PawlError[];
  },
): void {
  const steps = rounds.flatMap((round) => round.steps);
  const shown = (step: Step) => ({ id: step.taken.id, file: step.file, title: step.taken.issue.title, why: step.why });
  const of = (does: Step["does"]) => steps.filter((step) => step.does === does).map(shown);
  const back = told.map(({ id, back: { kind, ...more } }) => ({ id, comment: kind, ...more }));
  if (ctx.flags.json)
    return ctx.json({
      ...{ ok: failed.length === 0, dry, wrote: of("write"), updated: of("update"), kept: of("kept"), told: back },
      ...(failed.length === 0 ? {} : { errors: failed.map(errorJson) }),
    });
  const words = { ...(dry ? DRY : DONE), kept: "kept" };
  const rows = steps.flatMap((step) =>
    step.does === "nothing" ? [] : [[words[step.does], step.file, step.taken.issue.title, step.why ?? ""]],
  );
  for (const line of table(rows)) ctx.out(line);
  for (const { id, back } of told) if (back.kind === "not") ctx.out(`not told: ${id}: ${back.why}`);
  const same = of("nothing").length;
  const said = told.filter(({ back }) => back.kind === "said").length;
  ctx.out(
    `${counted(steps.length, "issue")}, ${same} as before${said > 0 ? `; ${counted(said, "comment")} written` : ""}`,
  );
}

const DONE = { write: "wrote", update: "updated" } as const;
const DRY = { write: "would write", update: "would update" } as const;
