import { add } from "./budget.ts";
import type { Apply } from "./evolve.ts";

/** Facts about money, tokens, time and spawns. */
export const ledgerFacts = {
  "budget-reserved": (task, { run, amount }) => ({
    ...task,
    ledger: { ...task.ledger, reserved: { ...task.ledger.reserved, [run]: amount } },
  }),
  "budget-settled": (task, { run, amount, known, estimated }) => {
    const { [run]: _, ...reserved } = task.ledger.reserved;
    return {
      ...task,
      ledger: {
        ...task.ledger,
        reserved,
        spent: add(task.ledger.spent, amount),
        moneyKnown: task.ledger.moneyKnown || known,
        estimated: estimated ? [...task.ledger.estimated, run] : task.ledger.estimated,
      },
    };
  },
  "budget-extended": (task, { amount }) => ({
    ...task,
    ledger: { ...task.ledger, extra: add(task.ledger.extra, amount) },
  }),
} satisfies Partial<Apply>;
