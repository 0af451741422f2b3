import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    cli: "src/app/cli/main.ts",
    demo: "src/app/demo/main.ts",
    "parse-worker": "src/adapters/parser/worker.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20",
  fixedExtension: true,
  dts: false,
  sourcemap: false,
  clean: true,
  // What every command loads goes in, without what it does not use: a worker's `pawl progress` then costs half the CPU.
  deps: { alwaysBundle: ["zod", "commander", "yaml", "picomatch"], onlyBundle: false },
});
