import type { Issues } from "../../adapters/forge/remote/issue.ts";
import type { IntakeSpec } from "../config/intake-key.ts";
import type { Step } from "../intake/plan.ts";
import type { ToldBack } from "../intake/write-back.ts";
import type { Context } from "./context.ts";
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
  { dry, rounds, told }: { dry: boolean; rounds: readonly Round[]; told: readonly Told[] },
): void {
  const steps = rounds.flatMap((round) => round.steps);
  const shown = (step: Step) => ({ id: step.taken.id, file: step.file, title: step.taken.issue.title, why: step.why });
  const of = (does: Step["does"]) => steps.filter((step) => step.does === does).map(shown);
  const back = told.map(({ id, back: { kind, ...more } }) => ({ id, comment: kind, ...more }));
  if (ctx.flags.json)
    return ctx.json({ ok: true, dry, wrote: of("write"), updated: of("update"), kept: of("kept"), told: back });
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
