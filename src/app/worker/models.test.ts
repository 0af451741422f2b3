import { expect, test } from "vitest";
import { pawlFile } from "../config/pawl-file.ts";
import { parseYaml } from "../config/spot.ts";
import { specNamed } from "./models.ts";

const { models = {} } = pawlFile(parseYaml({ file: "pawl.yaml", yaml: "models: {fast: ollama/x, strong: ollama/y}" }));

test.each([
  ["fasst", /^write fast, or PROVIDER\/MODEL;/],
  ["gpt", /^write one of fast, strong, or PROVIDER\/MODEL;/],
])("a model that is not there is told with what was probably meant: %s", (name, next) => {
  expect(() => specNamed(name, models)).toThrow(
    expect.objectContaining({ code: "MODEL_NAME", next: expect.stringMatching(next) }),
  );
});
