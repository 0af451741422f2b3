import { MAP } from "./map-file.ts";
import { PAWL } from "./pawl-file.ts";
import { either, keysOf, type Schema, schemaOf, TEXT } from "./schema-of.ts";
import { TASK } from "./written-task.ts";

/** Files that editors check against; each is `schemas/NAME.schema.json` of the package. */
export type SchemaName = "pawl" | "map" | "task";

/**
 * JSON Schemas of pawl.yaml, of phase maps, and of a task file's front matter, made of what reads these files. They know
 * shapes alone: that a role, a phase or a task is there is what `pawl validate` says.
 */
export const schemas = (): Readonly<Record<SchemaName, Schema>> => ({
  pawl: whole("pawl.yaml", { ...keysOf(PAWL), properties: { ...propertiesOf(PAWL), phases: phases() } }),
  map: whole("a phase map of Pawl", keysOf(MAP)),
  // what other tools wrote is kept
  task: whole("the front matter of a task file of Pawl", keysOf(TASK, true)),
});

const whole = (title: string, schema: Schema): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title,
  ...schema,
});

const propertiesOf = (shape: Readonly<Record<string, unknown>>) => keysOf(shape).properties as Schema;

/** The name or path of a map, a map in place, or only its phases. */
const phases = (): Schema => either(TEXT, keysOf(MAP), schemaOf(MAP.phases), { type: "null" });
