/** A JSON Schema (2020-12), as far as it is used here. */
export type Schema = Readonly<Record<string, unknown>>;

/** A decoder that also says, for editors, what it takes. */
export interface Described {
  readonly schema?: () => Schema;
}

/** Puts the schema to a decoder of one's own: give it a function that nobody else uses. */
export const shaped = <D extends (...args: never[]) => unknown>(schema: () => Schema, decode: D): D & Described =>
  Object.assign(decode, { schema });

/** What a decoder takes; `{}`, anything, where nobody has said it. */
export const schemaOf = (decode: unknown): Schema => (decode as Described).schema?.() ?? {};

/** A key without a value is as if it were not there. */
const orNothing = (schema: Schema): Schema =>
  Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };

/** A scalar is read as it is written: 8080 and true are texts too. */
export const TEXT: Schema = { type: ["string", "number", "boolean"] };
export const textLike = (pattern: RegExp): Schema => ({ type: ["string", "number"], pattern: pattern.source });
export const words = (known: readonly string[]): Schema => ({ enum: known });
export const either = (...schemas: readonly Schema[]): Schema => ({ anyOf: schemas });
export const listOf = (item: unknown): Schema => ({ type: "array", items: schemaOf(item) });
export const mapOf = (item: unknown): Schema => ({ type: "object", additionalProperties: orNothing(schemaOf(item)) });

/** A mapping with these keys; `others`: what further keys hold, false: there are none. */
export const keysOf = (shape: Readonly<Record<string, unknown>>, others: Schema | boolean = false): Schema => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(shape).map(([key, decode]) => [key, orNothing(schemaOf(decode))])),
  additionalProperties: others,
});
