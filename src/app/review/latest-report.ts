import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseMessageName } from "../../protocol/message-name.ts";
import { type CompletionReport, completionReportSchema } from "../../protocol/report.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";

/** The last report that a worker of this task handed in, beside the run folder `run`; null: none did, or none can be read. */
export function latestReport(run: string): CompletionReport | null {
  const home = dirname(run);
  for (const folder of runsOf(home)) {
    const outbox = join(home, folder, RUN_FILES.outbox);
    const names = existsSync(outbox) ? readdirSync(outbox) : [];
    const reports = names
      .flatMap((name) => (parseMessageName(name)?.kind === "COMPLETION_REPORT" ? [name] : []))
      .sort((a, b) => parseMessageName(b)!.seq - parseMessageName(a)!.seq);
    for (const name of reports) {
      const report = readReport(join(outbox, name));
      if (report) return report;
    }
  }
  return null;
}

/** Folders of runs, `NN-PHASE-aN`, the latest visit and attempt first. */
const runsOf = (home: string): readonly string[] =>
  readdirSync(home)
    .flatMap((name) => {
      const found = /^(\d+)-.+-a(\d+)$/.exec(name);
      return found ? [{ name, visit: Number(found[1]), attempt: Number(found[2]) }] : [];
    })
    .sort((a, b) => b.visit - a.visit || b.attempt - a.attempt)
    .map(({ name }) => name);

function readReport(path: string): CompletionReport | null {
  try {
    return completionReportSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data ?? null;
  } catch {
    return null;
  }
}
