import { PawlError } from "../../domain/errors.ts";
import type { Ms } from "../../domain/names.ts";

/** What may be spent on a piece of work; null: as much as it takes. */
export interface WorkBudget {
  /** moves of the worker: calls of a tool */
  readonly hops: number | null;
  readonly timeMs: Ms | null;
  /** lines added and deleted, against where it began */
  readonly diffLines: number | null;
  readonly diffFiles: number | null;
}
export type Spent = { readonly [Part in keyof WorkBudget]: number };
export type BudgetPart = keyof WorkBudget;

export interface Standing {
  readonly kind: "within" | "near" | "over";
  /** the part that is nearest to its end, or over it; null: nothing is bounded */
  readonly part: BudgetPart | null;
  readonly message: string;
}

/** From here on the worker is told. */
const NEAR = 0.8;
const WORDS: Readonly<Record<BudgetPart, string>> = {
  hops: "hops",
  timeMs: "ms",
  diffLines: "changed lines",
  diffFiles: "changed files",
};

/** How a budget stands. At its bound it is near, beyond it is over: the last hop that was allowed may be made. */
export function standing(budget: WorkBudget, spent: Spent): Standing {
  const parts = (Object.keys(WORDS) as BudgetPart[])
    .flatMap((part) => (budget[part] === null ? [] : [{ part, share: shareOf(spent[part], budget[part]) }]))
    .sort((a, b) => b.share - a.share);
  const [first] = parts;
  if (first === undefined) return { kind: "within", part: null, message: "nothing is bounded" };
  const { part, share } = first;
  const kind = share > 1 ? "over" : share >= NEAR ? "near" : "within";
  return { kind, part, message: `${spent[part]} of ${budget[part]} ${WORDS[part]} are spent` };
}

/** Nothing may be spent: nothing is near until something was. */
const shareOf = (spent: number, bound: number): number =>
  bound > 0 ? spent / bound : spent > 0 ? Number.POSITIVE_INFINITY : 0;

/** Throws BUDGET_BAD for a bound that bounds nothing. */
export function checkBudget(budget: WorkBudget): WorkBudget {
  for (const [part, bound] of Object.entries(budget) as [BudgetPart, number | null][])
    if (bound !== null && !(Number.isFinite(bound) && bound >= 0))
      throw new PawlError("BUDGET_BAD", `${part} is ${bound}, and has to be 0 or more, or null`, {
        next: "write how many, or null for as much as it takes",
      });
  return budget;
}
