import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsdown";

let built: Promise<readonly string[]> | undefined;

/** The command that drives a leg: test/fixtures/drive.ts, built once for each test file as the product would be. */
export function driverCommand(): Promise<readonly string[]> {
  built ??= buildDriver();
  return built;
}

async function buildDriver(): Promise<readonly string[]> {
  const outDir = mkdtempSync(join(tmpdir(), "pawl-driver-"));
  process.once("exit", () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    config: false,
    entry: { drive: "test/fixtures/drive.ts" },
    outDir,
    format: "esm",
    platform: "node",
    fixedExtension: true,
    dts: false,
    clean: false,
    report: false,
    logLevel: "error",
  });
  return [process.execPath, join(outDir, "drive.mjs")];
}
