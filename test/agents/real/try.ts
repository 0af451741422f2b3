// npm run test:agents -- [AGENT…]: real agents from npm, each against a scripted model on loopback with a dummy key.
// They are installed once into node_modules/.cache/pawl-agents; from then on there is no network but loopback, where this
// machine lets us have that. Prints a table agent x case; exit 1 where a cell is red.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeHome, REAL_AGENTS, type RealAgent } from "./agents.ts";
import { CASES, type CaseOn, endWorkers } from "./cases.ts";
import { startAgentModel } from "./scripted-model.ts";

const CACHE = resolve("node_modules/.cache/pawl-agents");

/** The folder with its programs. */
function install({ name, packages }: RealAgent): string {
  const folder = join(CACHE, name);
  const bin = join(folder, "node_modules/.bin");
  const wanted = JSON.stringify(packages);
  const note = join(folder, "installed.json");
  if (existsSync(note) && readFileSync(note, "utf8") === wanted) return bin;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(note, wanted);
  return bin;
}

/** `name: works`, or why it does not. */
async function tried(agent: RealAgent, bin: string, name: keyof typeof CASES): Promise<string> {
  const model = await startAgentModel([{ file: "hello.txt", text: "hello\n" }]);
  // not below a folder for temporary files: some do not run their helpers from there
  const home = join(CACHE, "homes", `${agent.name}-${name}`);
  makeHome(home, agent, model.url);
  const passed = Object.fromEntries(
    ["LANG", "TERM"].flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])),
  );
  const env = { ...passed, ...agent.env(model.url), PATH: `${bin}:${process.env.PATH}`, HOME: home };
  const on: CaseOn = { agent: agent.name, env, model };
  try {
    return await CASES[name](on);
  } catch (error) {
    return `FAILS: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    endWorkers();
    await model.close();
  }
}

/** Runs this again in a network of its own, which has a loopback and nothing else; null: that cannot be had here. */
function withoutNetwork(): number | null {
  const alone = ["-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  for (const unshare of [alone, ["-r", ...alone]]) {
    if (spawnSync("unshare", [...unshare, "true"], { stdio: "ignore" }).status !== 0) continue;
    const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    const env = { ...process.env, PAWL_AGENTS_ALONE: "1" };
    return spawnSync("unshare", [...unshare, ...again], { env, stdio: "inherit" }).status ?? 1;
  }
  return null;
}

const names = process.argv.slice(2);
const wanted = REAL_AGENTS.filter(({ name }) => names.length === 0 || names.includes(name));
for (const agent of wanted) install(agent);
if (process.env.PAWL_AGENTS_ALONE !== "1") {
  const code = withoutNetwork();
  if (code !== null) process.exit(code);
  console.error("with a network: unshare -n cannot be had here");
}
const rows: string[] = [];
const columns = Object.keys(CASES) as (keyof typeof CASES)[];
let isRed = false;
for (const agent of wanted) {
  const bin = install(agent);
  const cells: string[] = [];
  for (const name of columns) {
    const cell = await tried(agent, bin, name);
    console.error(`${agent.name} ${name}: ${cell}`);
    isRed ||= cell.startsWith("FAILS");
    cells.push(cell.split("\n")[0]!.replaceAll("|", "/"));
  }
  rows.push(`| ${agent.packages[0]} | ${cells.join(" | ")} |`);
}
console.log([`| agent | ${columns.join(" | ")} |`, `|---|${columns.map(() => "---|").join("")}`, ...rows].join("\n"));
process.exitCode = isRed ? 1 : 0;
