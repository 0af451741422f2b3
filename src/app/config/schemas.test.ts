import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { commandLine } from "../../../test/support/command-line.ts";
import { repository } from "../../../test/support/scratch.ts";
import { pawlFile } from "./pawl-file.ts";
import { putSchemas, SCHEMA_LINE } from "./put-schemas.ts";
import type { Schema } from "./schema-of.ts";
import { type SchemaName, schemas } from "./schemas.ts";
import { parseYaml } from "./spot.ts";

const made = schemas();
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const validators = Object.fromEntries(Object.entries(made).map(([name, schema]) => [name, ajv.compile(schema)]));
const faultsOf = (name: SchemaName, yaml: string): readonly string[] => {
  validators[name]!(parse(yaml) ?? {});
  return (validators[name]!.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};
const filesIn = (folder: string): readonly string[] => readdirSync(folder).map((name) => `${folder}/${name}`);
const front = (path: string): string => /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(path, "utf8"))![1]!;

const optionsOf = (schema: Schema): readonly Schema[] =>
  (schema.anyOf as Schema[] | undefined)?.flatMap(optionsOf) ?? [schema];

/** The keys that the schema has at a place of pawl.yaml. */
function keysAt(schema: Schema, path: readonly string[]): readonly string[] {
  const [first, ...rest] = path;
  for (const one of optionsOf(schema)) {
    if (first === undefined && one.properties) return Object.keys(one.properties);
    const below = (one.properties as Record<string, Schema>)?.[first!] ?? (one.additionalProperties || one.items);
    if (first !== undefined && typeof below === "object") {
      const found = keysAt(below as Schema, rest);
      if (found.length > 0) return found;
    }
  }
  return [];
}

describe("JSON Schemas", () => {
  test.each(Object.keys(made) as SchemaName[])(
    "the file of %s in the package is what the declarations make",
    (name) => {
      const file = readFileSync(`schemas/${name}.schema.json`, "utf8");
      expect(file, "npm run schemas").toBe(`${JSON.stringify(made[name], null, 2)}\n`);
    },
  );

  test.each([
    "",
    "worktree",
    "defaults",
    "limits",
    "gates",
    "budgets",
    "budgets.task",
    "agents.x",
    "agents.x.pawl",
    "checks.0",
    "models.x",
    "models.x.price",
    "forge",
    "intake.0",
    "intake.0.gitlab",
    "research",
    "sandbox",
    "store",
    "signals.human-approval",
    "signals.pr-approved",
    "signals.other",
    "actions.x",
  ])("what pawl.yaml may hold at %j is the same for pawl validate and for editors", (path) => {
    const steps = path === "" ? [] : path.split(".");
    const root = parseYaml({
      file: "pawl.yaml",
      yaml: steps.reduceRight((inner, key) => (key === "0" ? `[${inner}]` : `{${key}: ${inner}}`), "{nope: 1}"),
    });
    pawlFile(root);
    const note = root.text.faults.find(({ code }) => code === "KEY_UNKNOWN")?.data.note as string;
    const known = note.replace("known: ", "").split(", ").sort();
    expect([...keysAt(made.pawl, steps)].sort()).toEqual(known);
  });

  test("every place in them says what it takes", () => {
    const open: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      if (!Array.isArray(value) && Object.keys(value).length === 0) open.push(path);
      for (const [key, one] of Object.entries(value)) walk(one, `${path}/${key}`);
    };
    walk(made, "");
    expect(open).toEqual([]);
  });

  test("the examples, the built-in maps and what pawl init writes are valid by them", async () => {
    expect(faultsOf("pawl", readFileSync("examples/shop/pawl.yaml", "utf8"))).toEqual([]);
    const maps = filesIn("phase-maps");
    const tasks = filesIn("examples/shop/tasks");
    expect([maps.length, tasks.length]).toEqual([2, 6]);
    for (const map of maps) expect([map, faultsOf("map", readFileSync(map, "utf8"))]).toEqual([map, []]);
    for (const task of tasks) expect([task, faultsOf("task", front(task))]).toEqual([task, []]);
    for (const args of [["--full"], ["--agent", "./fix.sh"]]) {
      const { repo } = repository({ "a.txt": "" });
      await commandLine(repo, ["init", ...args]);
      const text = readFileSync(join(repo, "pawl.yaml"), "utf8");
      expect(text.startsWith(`${SCHEMA_LINE}\n`)).toBe(true);
      expect(faultsOf("pawl", text)).toEqual([]);
      expect(faultsOf("task", front(join(repo, "tasks/example.md")))).toEqual([]);
      // where that line points to is there, and git does not see it
      const place = SCHEMA_LINE.split("=")[1]!;
      expect(readFileSync(join(repo, place), "utf8")).toBe(readFileSync("schemas/pawl.schema.json", "utf8"));
      expect(readFileSync(join(repo, ".pawl/.gitignore"), "utf8")).toBe("*\n");
    }
  });

  test.each<readonly [SchemaName, string, string]>([
    ["pawl", "limits: {max_worker: 4}", "additional properties"],
    ["pawl", "limits: {max_workers: many}", "pattern"],
    ["pawl", "channels: [pigeon]", "allowed values"],
    ["pawl", "agents: {default: {command: x, prompt: argument}}", "allowed values"],
    ["pawl", "version: 2", "constant"],
    ["map", "phases: {a: {runs: agent x}}", "additional properties"],
    ["map", "phases: {a: {run: agent x, timeout: soon}}", "pattern"],
    ["task", "deps: {a: b}", "must be"],
    ["task", "timeout_minutes: 0", ">= 1"],
  ])("of %s, %j is refused", (name, yaml, why) => {
    expect(faultsOf(name, yaml).join("\n")).toContain(why);
  });

  test("they are put into .pawl once, and again where they are another build's", () => {
    const { repo } = repository({ "a.txt": "" });
    putSchemas(join(repo, ".pawl"));
    expect(existsSync(join(repo, ".pawl/schemas/task.schema.json"))).toBe(true);
  });
});
