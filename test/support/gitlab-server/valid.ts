import { Refusal } from "../forge-server/http.ts";

/** GitLab's words for what it does not do. */
export const missing = (what = ""): Refusal => new Refusal(404, { message: `404 ${what}${what && " "}Not Found` });
export const bad = (message: unknown): Refusal => new Refusal(400, { message });
export const said = (status: number, message: unknown): Refusal => new Refusal(status, { message });

type Kind = "string" | "boolean";

/** The fields of a body: of their kinds, the required ones there. A client of ours has no reason to send another. */
export function fields(body: unknown, of: { required: Record<string, Kind>; optional: Record<string, Kind> }) {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw bad("400 Bad request");
  const found = body as Record<string, unknown>;
  const kinds: Record<string, Kind> = { ...of.required, ...of.optional };
  for (const name of Object.keys(found))
    if (kinds[name] === undefined) throw new Refusal(400, { error: `${name} is no parameter of this` });
  for (const name of Object.keys(of.required))
    if (found[name] === undefined) throw new Refusal(400, { error: `${name} is missing` });
  for (const [name, value] of Object.entries(found))
    if (typeof value !== kinds[name]) throw new Refusal(400, { error: `${name} is invalid` });
  return found;
}

/** A parameter of a query that has to be one of these. */
export function oneOf(query: URLSearchParams, name: string, values: readonly string[]): string {
  const value = query.get(name) ?? values[0]!;
  if (!values.includes(value)) throw new Refusal(400, { error: `${name} does not have a valid value` });
  return value;
}
