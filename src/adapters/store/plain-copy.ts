/**
 * A copy of plain data, as deep as it goes, that shares nothing which can be changed. What has no value is left out, as
 * in JSON. Several times as fast as structuredClone, which also knows cycles, maps and errors.
 */
export function plainCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainCopy) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) if (part !== undefined) copy[key] = plainCopy(part);
  return copy as T;
}
