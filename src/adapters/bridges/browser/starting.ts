import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readlinkSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A start of a browser that can be cut off, which its library cannot. */
export interface Starting {
  /** an argument by which what is started is known */
  readonly mark: string;
  /** kills it with its group, now or as soon as it is there; the library then takes its profile away */
  cut(): void;
  /** no more is looked for */
  forget(): void;
}

/** Has to be there before the library starts anything. */
export function starting(): Starting {
  const mark = `--pawl-start=${randomUUID()}`;
  const alive = new Set<ChildProcess>();
  let isCut = false;
  const saw = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    child.once("spawn", () => {
      if (!child.spawnargs.includes(mark)) return;
      alive.add(child);
      child.once("exit", () => alive.delete(child));
      if (isCut) killGroup(child);
    });
  };
  subscribe(CHANNEL, saw);
  return {
    mark,
    cut() {
      isCut = true;
      for (const child of alive) killGroup(child);
    },
    forget: () => void unsubscribe(CHANNEL, saw),
  };
}

/** Node tells there of each process that it is about to start. */
const CHANNEL = "child_process";

function killGroup(child: ChildProcess): void {
  const beside = besideProfile(child);
  if (beside !== null) child.once("exit", () => rmSync(beside, { recursive: true, force: true }));
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // it leads no group, or has ended
    child.kill("SIGKILL");
  }
}

/** The folder of its socket, which Chromium makes outside its profile, and takes away only where it ends by itself. */
function besideProfile({ spawnargs }: ChildProcess): string | null {
  const profile = spawnargs.find((one) => one.startsWith(PROFILE))?.slice(PROFILE.length);
  try {
    const folder = dirname(readlinkSync(join(profile ?? "", "SingletonSocket")));
    return /^(org\.chromium\.Chromium|com\.google\.Chrome)\./.test(basename(folder)) ? folder : null;
  } catch {
    return null;
  }
}
const PROFILE = "--user-data-dir=";
