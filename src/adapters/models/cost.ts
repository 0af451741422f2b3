import type { Usage } from "../../ports/model.ts";
import type { ModelSpec, Price } from "../../ports/model-spec.ts";
import { knownOf } from "./known.ts";

/**
 * What an answer cost in millionths of a dollar, rounded up; null: no price is known. The configuration's price comes
 * first, then that Ollama costs nothing, then the dated file.
 */
export function costOf(spec: ModelSpec, usage: Usage): number | null {
  const price = priceFor(spec, usage);
  if (price === null) return null;
  const plain = Math.max(0, usage.input - usage.cached - usage.written);
  const exact =
    plain * price.input + usage.cached * price.cached + usage.written * price.written + usage.output * price.output;
  return Math.ceil(Number(exact.toFixed(6)));
}

function priceFor(spec: ModelSpec, usage: Usage): Price | null {
  if (spec.price) return spec.price;
  if (spec.provider === "ollama") return FREE;
  const known = knownOf(spec);
  return known?.above && usage.input > known.above.from ? known.above : (known?.price ?? null);
}
const FREE: Price = { input: 0, cached: 0, written: 0, output: 0 };
