import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import { LEG_FILES } from "../../protocol/run-folder.ts";
import { type Claim, DRIVER_ENV, driverMark, type LegPlace, readClaim } from "./leg.ts";
import type { HostParts } from "./parts.ts";

const LOOK_MS = 10;

/**
 * Starts a driver for a leg, in a session of its own that outlives us, and waits until some driver has claimed the leg.
 * A text: why none did, and certainly none will. Throws when the signal aborts first: in doubt.
 */
export async function startDriver(
  at: LegPlace,
  parts: HostParts,
  signal: AbortSignal,
): Promise<{ readonly claim: Claim; readonly pid: number } | string> {
  const driver = await launch(at, parts);
  if (typeof driver === "string") return driver;
  while (!signal.aborted) {
    // asked before looking: a driver that claimed and ended between the two questions has left its claim
    const ended = driver.ended();
    const claim = readClaim(at);
    if (claim) return { claim, pid: driver.pid };
    if (ended !== null) return `its driver ended with ${ended} before it began${lastWords(at)}`;
    await parts.clock.sleep(LOOK_MS, signal);
  }
  throw new PawlError("EFFECT_IN_DOUBT", `no driver has claimed ${at.leg} within the time for it`, { retryable: true });
}

function launch(at: LegPlace, parts: HostParts): Promise<{ pid: number; ended: () => string | null } | string> {
  const [file, ...args] = parts.driver ?? [...parts.pawl, "drive", "command"];
  if (!file) return Promise.resolve("no command is known that drives a leg");
  const words = openSync(join(at.folder, LEG_FILES.driverLog), "a");
  return new Promise((resolve) => {
    const child = spawn(file, [...args, at.folder], {
      cwd: parts.state,
      env: { ...process.env, [DRIVER_ENV]: driverMark(parts.state, at.leg) },
      detached: true,
      stdio: ["ignore", words, words],
    });
    closeSync(words);
    let ended: string | null = null;
    child.on("error", (error) => resolve(`its driver cannot be started: ${error.message}`));
    child.on("spawn", () => resolve({ pid: child.pid ?? -1, ended: () => ended }));
    child.on("exit", (code, signal) => {
      ended = signal ?? `exit ${code}`;
    });
    child.unref();
  });
}

function lastWords(at: LegPlace): string {
  try {
    const text = readFileSync(join(at.folder, LEG_FILES.driverLog), "utf8").trim();
    return text === "" ? "" : `: ${text.slice(-1_000)}`;
  } catch {
    return "";
  }
}
