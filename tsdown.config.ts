import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    cli: "src/app/cli/main.ts",
    demo: "src/app/demo/main.ts",
    "list-worker": "src/app/config/list-worker.ts",
    "parse-worker": "src/adapters/parser/worker.ts",
    "overlay-worker": "src/adapters/vision/overlay/worker.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20",
  fixedExtension: true,
  dts: false,
  sourcemap: false,
  clean: true,
  // What every command loads goes in, without what it does not use: a worker's `pawl progress` then costs half the CPU.
  // A provider's package is a chunk of its own, read when a model of that provider is asked for the first time.
  deps: {
    alwaysBundle: [
      "zod",
      /^zod\//,
      "commander",
      "yaml",
      "picomatch",
      /^@ai-sdk\//,
      "@agentclientprotocol/sdk",
      /^eventsource-parser/,
      "@standard-schema/spec",
    ],
    onlyBundle: false,
  },
});
