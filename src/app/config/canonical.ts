import { createHash } from "node:crypto";

/** JSON with the keys of every object in order of code units: the same value gives the same bytes, always. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}

/** `sha256-` and the hex digits. */
export const sha256 = (bytes: string | Uint8Array): string =>
  `sha256-${createHash("sha256").update(bytes).digest("hex")}`;
