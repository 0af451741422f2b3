import type { PawlError } from "../../domain/errors.ts";
import type { Step } from "../intake/plan.ts";
import type { Round } from "../intake/sync.ts";
import type { ToldBack } from "../intake/write-back.ts";
import type { Context } from "./context.ts";
import { errorJson } from "./error-text.ts";
import { table } from "./printable.ts";
import { counted } from "./views/amounts.ts";

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
  const cut = rounds.flatMap(({ spec, missing }) =>
    missing === null ? [] : [`issues of ${spec.kind} ${spec.repo}: ${missing}`],
  );
  const back = told.map(({ id, back: { kind, ...more } }) => ({
    id,
    comment: kind,
    ...("why" in more ? { why: more.why } : {}),
  }));
  if (ctx.flags.json)
    return ctx.json({
      ...{ ok: failed.length === 0, dry, wrote: of("write"), updated: of("update"), kept: of("kept"), told: back },
      ...(cut.length === 0 ? {} : { missing: cut }),
      ...(failed.length === 0 ? {} : { errors: failed.map(errorJson) }),
    });
  const words = { ...(dry ? DRY : DONE), kept: "kept" };
  const rows = steps.flatMap((step) =>
    step.does === "nothing" ? [] : [[words[step.does], step.file, step.taken.issue.title, step.why ?? ""]],
  );
  for (const line of table(rows)) ctx.out(line);
  for (const { id, back } of told) if (back.kind === "not") ctx.out(`not told: ${id}: ${back.why}`);
  for (const line of cut) ctx.out(`not all: ${line}`);
  const same = of("nothing").length;
  const said = told.filter(({ back }) => back.kind === "said").length;
  ctx.out(
    `${counted(steps.length, "issue")}, ${same} as before${said > 0 ? `; ${counted(said, "comment")} written` : ""}`,
  );
}

const DONE = { write: "wrote", update: "updated" } as const;
const DRY = { write: "would write", update: "would update" } as const;
