type Schema = Readonly<Record<string, unknown>>;

/**
 * Arguments as a schema wants them, where models are known to write the same value otherwise and nothing has to be
 * guessed: "30" for 30, "true" for true, one text for a list of texts, null for what is left out. All else stays as it is,
 * and is refused by the schema.
 */
export function fitted(args: Readonly<Record<string, unknown>>, schema: Schema): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema.required ?? []) as readonly string[];
  const given = Object.entries(args).filter(([name, value]) => value !== null || required.includes(name));
  return Object.fromEntries(given.map(([name, value]) => [name, fitOne(value, properties[name])]));
}

function fitOne(value: unknown, schema: Schema | undefined): unknown {
  switch (schema?.type) {
    case "integer":
    case "number":
      return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "array":
      return typeof value === "string" && (schema.items as Schema | undefined)?.type === "string" ? [value] : value;
    default:
      return value;
  }
}
