import { Refusal } from "../forge-server/http.ts";

const DOCS = "https://docs.github.com/rest";

/** GitHub's words for a request that it does not take. */
export const unprocessable = (errors: readonly unknown[], message = "Validation Failed"): Refusal =>
  new Refusal(422, { message, errors, documentation_url: DOCS, status: "422" });
export const missing = (): Refusal =>
  new Refusal(404, { message: "Not Found", documentation_url: DOCS, status: "404" });

type Kind = "string" | "boolean" | "string|null";

/**
 * The fields of a body: of their kinds, the required ones there. GitHub passes over fields that it does not know; a
 * client of ours has no reason to send one.
 */
export function fields(
  body: unknown,
  of: { resource: string; required: Record<string, Kind>; optional: Record<string, Kind> },
) {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Refusal(400, { message: "Body should be a JSON object", documentation_url: DOCS });
  const found = body as Record<string, unknown>;
  const kinds: Record<string, Kind> = { ...of.required, ...of.optional };
  for (const name of Object.keys(found))
    if (kinds[name] === undefined) throw unprocessable([], `Invalid request.\n\n"${name}" is not a permitted key.`);
  for (const name of Object.keys(of.required))
    if (found[name] === undefined) throw unprocessable([{ resource: of.resource, code: "missing_field", field: name }]);
  for (const [name, value] of Object.entries(found)) {
    const kind = kinds[name]!;
    if (typeof value !== kind.replace("|null", "") && !(value === null && kind.endsWith("null")))
      throw unprocessable(
        [],
        `Invalid request.\n\nFor 'properties/${name}', ${JSON.stringify(value)} is not a ${kind}.`,
      );
  }
  return found;
}

export const invalid = (resource: string, field: string, code = "invalid"): Refusal =>
  unprocessable([{ resource, code, field }]);
