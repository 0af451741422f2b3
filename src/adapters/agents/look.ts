import { join } from "node:path";
import type { Amount } from "../../domain/budget.ts";
import type { LegKey } from "../../domain/names.ts";
import { diskIsFull } from "../../ports/full-disk.ts";
import type { Seen } from "../../ports/runtime.ts";
import { LEG_FILES } from "../../protocol/run-folder.ts";
import { isFull } from "./full-disk.ts";
import { aliveAtGate, parkedAtGate } from "./gate.ts";
import {
  type Claim,
  DRIVER_ENV,
  driverMark,
  fileMark,
  findLeg,
  type LegPlace,
  readClaim,
  readDrive,
  writtenBy,
} from "./leg.ts";
import { endOrphans } from "./orphans.ts";
import type { HostParts } from "./parts.ts";
import { askedInRun } from "./question.ts";
import { reportedUsage } from "./usage.ts";

/** One verdict on whether a leg lives. Reads a few small files and starts no process. */
export async function lookAt(leg: LegKey, parts: HostParts, signal: AbortSignal): Promise<Seen> {
  try {
    const at = findLeg(parts.state, leg);
    return at === null ? await unclaimed(leg, parts) : await seen(at, parts, signal);
  } catch (error) {
    return { kind: "unknown", why: error instanceof Error ? error.message : String(error) };
  }
}

async function seen(at: LegPlace, parts: HostParts, signal: AbortSignal): Promise<Seen> {
  const claim = readClaim(at);
  if (has(at, "ended") || has(at, "reaped")) return ended(at, claim);
  if (claim === null) return has(at, "claim") ? unreadable(at) : unclaimed(at.leg, parts);
  const driver = await parts.processes.lives(claim.driver);
  if (driver === "unknown") return { kind: "unknown", why: `driver ${claim.driver.pid} of ${at.leg} cannot be seen` };
  if (driver === "alive") return (await heldBack(at, claim, parts)) ?? alive(at, claim, parts);
  // it may have written its end between the two questions
  if (has(at, "ended")) return ended(at, claim);
  const isOver = await endOrphans(at, claim, parts, signal);
  return isOver
    ? ended(at, claim)
    : { kind: "unknown", why: `the driver of ${at.leg} is gone and what it drove does not end` };
}

/** Its worker has ended, and its driver waits for room to write that down. */
async function heldBack({ folder }: LegPlace, { agent }: Claim, { processes }: HostParts): Promise<Seen | null> {
  if (agent === null || !isFull(folder) || (await processes.lives(agent)) !== "gone") return null;
  return { kind: "unknown", why: `${diskIsFull(folder)}: its end is kept when there is room` };
}

function ended(at: LegPlace, claim: Claim | null): Seen {
  const parked = claim === null || has(at, "reaped") ? null : parkedAtGate(at, claim);
  return parked ?? { kind: "ended", driver: has(at, "ended") ? "ended" : "gone" };
}

/** Nobody has it. A driver that is just starting carries its mark in its environment, and will claim it. */
async function unclaimed(leg: LegKey, { processes, state }: HostParts): Promise<Seen> {
  const starting = await processes.withEnv(DRIVER_ENV, driverMark(state, leg));
  return starting.length > 0 ? { kind: "unknown", why: `the driver of ${leg} is starting` } : { kind: "absent" };
}

const unreadable = (at: LegPlace): Seen => ({
  kind: "unknown",
  why: `${join(at.folder, LEG_FILES.claim)} cannot be read, so nobody knows whose it is`,
});

function alive(at: LegPlace, claim: Claim, { clock }: HostParts): Seen {
  const atGate = aliveAtGate(at, claim);
  if (atGate) return atGate;
  const reserve = readDrive(at)?.wish.reserve;
  const question = askedInRun(at.run, clock.read().wall);
  return {
    kind: "alive",
    verdictWritten: writtenBy(at, claim, "verdict") !== null,
    overBudget: reserve !== undefined && isOver(reserve, at, claim),
    ...(question ? { question } : {}),
  };
}

/** Money and tokens only: wall time is the driver's to keep. Nothing reserved is no bound. */
function isOver(reserve: Amount, at: LegPlace, claim: Claim): boolean {
  if (reserve.microUsd <= 0 && reserve.tokens <= 0) return false;
  const path = writtenBy(at, claim, "usage");
  const spent = path === null ? null : reportedUsage(path);
  if (spent === null) return false;
  return (["microUsd", "tokens"] as const).some((kind) => reserve[kind] > 0 && (spent[kind] ?? 0) > reserve[kind]);
}

const has = (at: LegPlace, file: keyof typeof LEG_FILES): boolean =>
  fileMark(join(at.folder, LEG_FILES[file])) !== null;
