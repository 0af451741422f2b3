import { readRecord } from "./files.ts";

/** What a worker says it spent: millionths of a dollar, tokens; null: it does not say. */
export interface Reported {
  readonly microUsd: number | null;
  readonly tokens: number | null;
}

/** From usage.json; null: it says nothing that can be read. */
export function reportedUsage(path: string): Reported | null {
  const record = readRecord<{ cost_usd?: unknown; tokens?: unknown }>(path);
  return record === null ? null : asReported(record);
}

export function asReported({ cost_usd, tokens }: { cost_usd?: unknown; tokens?: unknown }): Reported | null {
  const money = amount(cost_usd);
  const said = { microUsd: money === null ? null : Math.round(money * 1e6), tokens: amount(tokens) };
  return said.microUsd === null && said.tokens === null ? null : said;
}

const amount = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
