// Writes schemas/*.schema.json, made of what reads pawl.yaml, maps and task files. A test holds the files to it.
import { mkdirSync, writeFileSync } from "node:fs";
import { schemas } from "../src/app/config/schemas.ts";

mkdirSync("schemas", { recursive: true });
for (const [name, schema] of Object.entries(schemas()))
  writeFileSync(`schemas/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`);
