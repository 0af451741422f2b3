import type { Ms } from "../../domain/names.ts";

const UNIT = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `10m`, `2h`, `7d` in milliseconds; null for anything else. */
export function durationOf(text: string): Ms | null {
  const found = /^(\d+(?:\.\d+)?)(s|m|h|d)$/.exec(text.trim());
  if (!found) return null;
  const ms = Math.round(Number(found[1]) * UNIT[found[2] as keyof typeof UNIT]);
  return ms > 0 && ms <= LONGEST ? ms : null;
}
/** Ten years: above it a timer cannot count any more. */
const LONGEST = 3_650 * UNIT.d;

/** A whole number, or one that ends in k or M: `4k` is 4000; null for anything else. */
export function countOf(text: string): number | null {
  const found = /^(\d+(?:\.\d+)?)(k|M)?$/.exec(text.trim());
  if (!found) return null;
  const count = Number(found[1]) * (found[2] === "k" ? 1_000 : found[2] === "M" ? 1_000_000 : 1);
  const whole = Math.round(count);
  return Math.abs(whole - count) < 1e-6 && Number.isSafeInteger(whole) ? whole : null;
}

/** The shortest way to write a duration. */
export function duration(ms: Ms): string {
  for (const unit of ["d", "h", "m"] as const) if (ms % UNIT[unit] === 0) return `${ms / UNIT[unit]}${unit}`;
  return `${ms / 1_000}s`;
}
