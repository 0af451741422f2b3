import type { Marks } from "./marks.ts";

/** `$0.77`; money that nobody reported is unknown, never 0. */
export const money = (microUsd: number | null, { unknown }: Pick<Marks, "unknown">): string =>
  microUsd === null ? unknown : `$${(microUsd / 1e6).toFixed(2)}`;

/** `61k tok`: what was spent where only that is known. */
export const tokens = (count: number): string => {
  const [n, unit] = count < 1_000 ? [count, ""] : count < 999_500 ? [count / 1_000, "k"] : [count / 1e6, "M"];
  return `${n < 10 && unit !== "" ? n.toFixed(1) : Math.round(n)}${unit} tok`;
};

/** Money, where it is known; else tokens, where those are. */
export const spent = (
  { microUsd, tokens: count }: { readonly microUsd: number | null; readonly tokens: number | null },
  marks: Pick<Marks, "unknown">,
): string => (microUsd === null && count !== null && count > 0 ? tokens(count) : money(microUsd, marks));

/** An amount with its bound, where it has one: `4 of 8`. */
export const bounded = (amount: string, bound: string | null): string =>
  bound === null ? amount : `${amount} of ${bound}`;

/** `1 task`, `2 tasks` */
export const counted = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

export const short = (commit: string): string => commit.slice(0, 7);
