import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const FLOORS: Readonly<Record<string, number>> = {
  domain: 1,
  protocol: 2,
  ports: 3,
  workspace: 4,
  device: 4,
  engine: 5,
  tactics: 5,
  adapters: 6,
  app: 7,
};
/** what touches the machine: for adapters and app alone */
const MACHINE = [
  "node:fs",
  "node:fs/promises",
  "node:child_process",
  "node:net",
  "node:http",
  "node:https",
  "node:worker_threads",
  "node:sqlite",
  "execa",
  "pg",
  "@photostructure/sqlite",
  "playwright-core",
];

interface Imported {
  readonly file: string;
  readonly of: string;
}

/** A room: a folder of src/, and each folder of adapters/ for itself. */
function roomOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  return top === "adapters" ? `adapters/${second}` : top;
}
const floorOf = (room: string): number | undefined => FLOORS[room.split("/")[0]!];

/** Breaches of the house's three sentences among these imports (paths from src/). */
function breaches(imports: readonly Imported[]): readonly string[] {
  return imports.flatMap(({ file, of }) => {
    const fault = of.startsWith(".") ? relativeFault(file, of) : packageFault(file, of);
    return fault === null ? [] : [`${file} imports ${of}: ${fault}`];
  });
}

function relativeFault(file: string, of: string): string | null {
  const target = relative("/src", resolve("/src", dirname(file), of));
  const from = roomOf(file);
  const to = roomOf(target);
  if (floorOf(from) === undefined || floorOf(to) === undefined) return "no such room";
  if (from === to) return null;
  if (floorOf(to)! > floorOf(from)!) return "imports go down";
  if (floorOf(to) === floorOf(from)) return "rooms on one floor never meet";
  if (from.startsWith("adapters") && floorOf(to) === 5) return "minds are imported by app alone";
  return null;
}

function packageFault(file: string, of: string): string | null {
  const room = roomOf(file);
  if (room === "domain") return "domain knows no package";
  const isMachine = MACHINE.some((name) => of === name || of.startsWith(`${name}/`)) || of.startsWith("@yume-chan/");
  return isMachine && floorOf(room)! < 6 ? "only adapters and app touch the machine" : null;
}

function importsOf(root: string): readonly Imported[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g,
    );
    return [...found].map((match) => ({ file: file.split("\\").join("/"), of: (match[1] ?? match[2] ?? match[3])! }));
  });
}

describe("the house", () => {
  test("imports go down, rooms on one floor never meet, adapters alone touch the machine", () => {
    const imports = importsOf("src");
    expect(imports.length).toBeGreaterThan(100);
    for (const room of ["domain", "protocol", "ports", "engine", "adapters", "app"])
      expect(
        imports.some(({ file }) => file.startsWith(`${room}/`)),
        `no imports found in ${room}`,
      ).toBe(true);
    expect(breaches(imports)).toEqual([]);
  });

  test.each([
    ["a floor above", "domain/task.ts", "../ports/clock.ts", "imports go down"],
    ["a mind in an adapter", "adapters/forge/local.ts", "../../engine/tick.ts", "minds are imported by app alone"],
    ["the other mind", "engine/tick.ts", "../tactics/loop.ts", "rooms on one floor never meet"],
    ["another adapter", "adapters/forge/local.ts", "../store/open.ts", "rooms on one floor never meet"],
    ["a package in domain", "domain/task.ts", "zod", "domain knows no package"],
    ["a node module in domain", "domain/task.ts", "node:crypto", "domain knows no package"],
    ["files in the engine", "engine/board.ts", "node:fs", "only adapters and app touch the machine"],
    ["processes in protocol", "protocol/verdict.ts", "execa", "only adapters and app touch the machine"],
    ["a room that is not there", "helpers/x.ts", "../domain/task.ts", "no such room"],
  ])("a breach is seen: %s", (_, file, of, why) => {
    expect(breaches([{ file, of }])).toEqual([`${file} imports ${of}: ${why}`]);
  });

  test("domain and protocol read no clock, chance or environment", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
      (path) => /^(domain|protocol)\/.*\.ts$/.test(path) && !path.endsWith(".test.ts"),
    );
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const code = readFileSync(join("src", file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      expect(code, file).not.toMatch(/\bDate\.now\b|\bnew Date\(\)|Math\.random|process\.env|\basync\b|\bawait\b/);
    }
  });

  test("only one file commits", () => {
    const files = readdirSync("src/engine", { encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
    const committing = files.filter((file) => /\.commit\(/.test(readFileSync(join("src/engine", file), "utf8")));
    expect(committing).toEqual(["commits.ts"]);
  });
});
