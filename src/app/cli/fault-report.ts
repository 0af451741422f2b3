import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { makeFolder } from "../../adapters/system/make-folder.ts";
import { findRepo } from "../config/repository.ts";
import { prepareState } from "../config/state-folder.ts";
import { version } from "./version.ts";

/** An address may hold a password. */
const ADDRESS = /(postgres(?:ql)?:\/\/)\S*/g;

/** Writes what is needed to find a fault of Pawl's own, and gives the path: in .pawl/ where that is there, else with the temporary files. */
export async function writeFaultReport(error: unknown, args: readonly string[], cwd: string): Promise<string> {
  const name = `fault-${new Date().toISOString().replace(/[:.]/g, "-")}-${process.pid}.txt`;
  const path = join(await folder(cwd), name);
  const lines = [
    `pawl ${version()}, node ${process.version}, ${process.platform} ${process.arch}`,
    `command: pawl ${args.map((arg) => JSON.stringify(arg.replace(ADDRESS, "$1…"))).join(" ")}`,
    "",
    inspect(error, { depth: 5 }),
    "",
  ];
  writeFileSync(path, lines.join("\n"), { mode: 0o600 });
  return path;
}

async function folder(cwd: string): Promise<string> {
  try {
    const state = join(await findRepo(cwd), ".pawl");
    if (existsSync(state)) return prepareState(state);
  } catch {
    // No repository, no git, no right to write: the report has to go somewhere all the same.
  }
  const elsewhere = join(tmpdir(), "pawl");
  makeFolder(elsewhere);
  return elsewhere;
}
