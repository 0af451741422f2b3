import { PawlError } from "../../../domain/errors.ts";

export type Field = unknown;

/** The fields of an answer. What is no object is an answer of somebody else, a proxy perhaps: FORGE_UNREACHABLE. */
export function shapeOf(value: unknown, what: string): Readonly<Record<string, Field>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, Field>;
  throw odd(what);
}
export function text(value: Field, what: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw odd(what);
}
export const textOr = <T>(value: Field, otherwise: T): string | T => (typeof value === "string" ? value : otherwise);
export const listOf = (value: Field): readonly unknown[] => (Array.isArray(value) ? value : []);

const odd = (what: string): PawlError =>
  new PawlError("FORGE_UNREACHABLE", `the answer has no ${what}: is the base URL that of the API?`, {
    retryable: true,
    next: "see forge.base_url",
  });
