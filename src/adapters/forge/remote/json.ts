import { PawlError } from "../../../domain/errors.ts";

export type Field = unknown;

/** The fields of an answer. What is no object is an answer of somebody else, a proxy perhaps: FORGE_UNREACHABLE. */
export function shapeOf(value: unknown, what: string): Readonly<Record<string, Field>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, Field>;
  const kind = Array.isArray(value) ? "a list" : (JSON.stringify(value)?.slice(0, 40) ?? "nothing");
  throw odd(`${kind} in place of ${what}`);
}
export function text(value: Field, what: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw odd(`no ${what}`);
}
export const textOr = <T>(value: Field, otherwise: T): string | T => (typeof value === "string" ? value : otherwise);
export const listOf = (value: Field): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An answer that has this in it, and not what it should. */
export const odd = (what: string): PawlError =>
  new PawlError("FORGE_UNREACHABLE", `the forge's answer has ${what}`, {
    retryable: true,
    next: "see whether base_url in pawl.yaml is that of the forge's API",
  });
