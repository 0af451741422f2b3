import type { ModelSpec, Price } from "../../ports/model-spec.ts";
import prices from "./prices.json" with { type: "json" };

/** Prices that go up when more than `from` tokens are asked about. */
interface Tier extends Price {
  readonly from: number;
}

/** What the dated file says of a model. */
export interface Known {
  readonly price: Price;
  readonly above: Tier | null;
  /** tokens */
  readonly context: number;
  readonly maxOutput: number;
}

type Rows = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

/** What is known of a provider's model, also under a name with a date behind it; null: nothing. */
export function knownOf({ provider, model }: Pick<ModelSpec, "provider" | "model">): Known | null {
  const name = [model, model.replace(DATE, "")].find((one) => rowOf(prices.models, provider, one));
  if (name === undefined) return null;
  const [input, cached, written, output, context, maxOutput] = rowOf(prices.models, provider, name) as Row;
  const above = rowOf(prices.above, provider, name) as Above | undefined;
  return {
    price: { input, cached, written, output },
    above: above ? { from: above[0], input: above[1], cached: above[2], written: above[3], output: above[4] } : null,
    context,
    maxOutput,
  };
}
type Row = readonly [number, number, number, number, number, number];
type Above = readonly [number, number, number, number, number];

/** `-20250929`, `-2025-08-07`, `-latest` and `@20250929` name a state of a model that costs what the model costs. */
const DATE = /[-@](\d{8}|\d{4}-\d\d-\d\d|latest)$/;

const rowOf = (rows: Rows, provider: string, model: string): readonly number[] | undefined =>
  Object.hasOwn(rows, provider) && Object.hasOwn(rows[provider]!, model) ? rows[provider]![model] : undefined;
