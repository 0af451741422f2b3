import { posix } from "node:path";
import { fromBytes } from "./byte-text.ts";
import { readJournal } from "./journal.ts";
import { type Desk, drop, journalPath, type Settled, settle } from "./settle.ts";

const SUFFIX = ".journal";
const MOST = 2 ** 29;

const journals = ({ files, journalDir }: Desk): readonly string[] =>
  files
    .list(journalDir)
    .filter((name) => name.endsWith(SUFFIX))
    .sort();

/** Whether a crash left something, or somebody is writing just now. */
export const hasJournals = (desk: Desk): boolean => journals(desk).length > 0;

/** Brings every edit that was begun to its end. Only for whoever holds the lock. */
export async function recoverAll(desk: Desk): Promise<readonly Settled[]> {
  const settled: Settled[] = [];
  for (const name of journals(desk)) settled.push(await recoverOne(desk, name.slice(0, -SUFFIX.length)));
  return settled;
}

async function recoverOne(desk: Desk, id: string): Promise<Settled> {
  const found = desk.files.read(journalPath(desk, id), MOST);
  const journal = found.kind === "file" ? readJournal(fromBytes(found.bytes)) : "broken";
  if (typeof journal === "object") return settle(desk, journal);
  if (journal === "torn") {
    // Nothing is touched before a journal is whole.
    await drop(desk, id);
    return { id, outcome: "discarded", left: [] };
  }
  // Not ours to throw away, and nothing that could be followed: somebody may want to see it.
  desk.files.rename(journalPath(desk, id), posix.join(desk.journalDir, `${id}.broken`));
  await desk.files.flush([desk.journalDir]);
  return { id, outcome: "unreadable", left: [] };
}
