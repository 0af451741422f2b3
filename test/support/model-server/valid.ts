import { Refused } from "./script.ts";

export type Json = Readonly<Record<string, unknown>>;

export function refuseUnless(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Refused(message);
}

export function object(value: unknown, where: string): Json {
  refuseUnless(
    typeof value === "object" && value !== null && !Array.isArray(value),
    `${where}: Input should be an object`,
  );
  return value as Json;
}
export function list(value: unknown, where: string): readonly unknown[] {
  refuseUnless(Array.isArray(value), `${where}: Input should be a valid list`);
  return value;
}
export function text(value: unknown, where: string): string {
  refuseUnless(typeof value === "string", `${where}: Input should be a valid string`);
  return value;
}
/** A text in which there is something to see. */
export function visible(value: unknown, where: string): string {
  const found = text(value, where);
  refuseUnless(found.trim() !== "", `${where}: text content blocks must contain non-whitespace text`);
  return found;
}
export const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** No key but these. */
export function only(value: Json, known: readonly string[], where: string): void {
  const extra = Object.keys(value).find((key) => !known.includes(key));
  refuseUnless(extra === undefined, `${where}${where && "."}${extra}: Extra inputs are not permitted`);
}

export function named(value: unknown, pattern: RegExp, where: string): string {
  const name = text(value, where);
  refuseUnless(pattern.test(name), `${where}: String should match pattern '${pattern.source}'`);
  return name;
}

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
/** What providers demand of a tool's schema: an object at the top, known types, `required` among the properties. */
export function schema(value: unknown, where: string, depth = 0): Json {
  const found = object(value, where);
  const type = typeof found.type === "string" ? found.type.toLowerCase() : found.type;
  if (depth === 0) refuseUnless(type === "object", `${where}.type: Input should be 'object'`);
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  refuseUnless(
    types.every((one) => TYPES.includes(one)),
    `${where}: JSON schema is invalid. It must match JSON Schema draft 2020-12`,
  );
  const properties = found.properties === undefined ? {} : object(found.properties, `${where}.properties`);
  for (const [key, one] of Object.entries(properties)) schema(one, `${where}.properties.${key}`, depth + 1);
  const required = found.required === undefined ? [] : list(found.required, `${where}.required`);
  refuseUnless(
    required.every((key) => typeof key === "string" && key in properties),
    `${where}.required: property is not defined`,
  );
  if (type === "array") schema(found.items ?? {}, `${where}.items`, depth + 1);
  return found;
}

/** Names that are there once only. */
export function unique(names: readonly string[], what: string): void {
  refuseUnless(new Set(names).size === names.length, `${what} must be unique`);
}
