import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { RunEnd } from "../../domain/input.ts";
import { type Commit, type LegKey, type Ms, parseLeg } from "../../domain/names.ts";
import { LEG_FILES, RUN_FILES } from "../../protocol/run-folder.ts";
import { baseSeen, tipOf } from "./base.ts";
import { saysItsName, unblamed } from "./blame.ts";
import { changeOf } from "./change.ts";
import { type Conclusion, conclude, type Evidence, isCommand } from "./conclude.ts";
import { createFile, json, readRecord } from "./files.ts";
import { forkOf } from "./fork.ts";
import { judge } from "./judge.ts";
import {
  type Claim,
  type Drive,
  type Ended,
  findLeg,
  type LegPlace,
  legsUpTo,
  readClaim,
  readDrive,
  readEnded,
  readStop,
  writtenBy,
} from "./leg.ts";
import { missingScript, namingScript } from "./not-committed.ts";
import type { HostParts } from "./parts.ts";
import { dropDeadLock, type Salvage, salvage } from "./salvage.ts";
import { heldToScreen } from "./screen-work.ts";
import { rejoin } from "./switch-back.ts";
import { uncommitted } from "./uncommitted.ts";
import { asReported, reportedUsage } from "./usage.ts";
import { readVerdict } from "./verdict-file.ts";
import { readWaiting } from "./waiting-file.ts";
import { removeClean } from "./worktree.ts";

type On = HostParts & { readonly signal: AbortSignal };

/**
 * What a leg left, read once and kept in reaped.json: asked again it is the same. Work in scope is committed and the
 * head pinned (refs/pawl/run/TASK/VISIT/ATTEMPT) before that file is written; a clean worktree goes after it. A crash
 * in between is made good by asking again. Throws LEG_ALIVE where it has not ended.
 */
export async function reapLeg(leg: LegKey, on: On): Promise<RunEnd> {
  const at = findLeg(on.state, leg);
  const drive = at && readDrive(at);
  if (!at || !drive) return lost(`there is no run folder of ${leg} here`);
  const path = join(at.folder, LEG_FILES.reaped);
  const end = readRecord<RunEnd>(path) ?? (await read(at, drive, on));
  // a git that was cut off has said less than there is: better read again than kept for ever
  on.signal.throwIfAborted();
  createFile(path, json(end));
  if (drive.wish.place.kind === "clean") await removeClean(drive.worktree, on);
  return end;
}

async function read(at: LegPlace, drive: Drive, on: On): Promise<RunEnd> {
  const claim = readClaim(at);
  const ended = readEnded(at);
  if (claim === null) return lost(`no driver ever had ${at.leg}`);
  if (ended === null && (await on.processes.lives(claim.driver)) !== "gone") {
    throw new PawlError("LEG_ALIVE", `${at.leg} has not ended: its driver ${claim.driver.pid} may live`, {
      retryable: true,
    });
  }
  const verdict = readVerdict(isCommand(drive) ? null : writtenBy(at, claim, "verdict"), at.leg);
  const rebooted = claim.driver.bootId !== on.processes.self.bootId;
  const evidence: Evidence = { drive, ended, stop: readStop(at), rebooted, verdict, waiting: readWaiting(at) };
  const used = spent(at, claim, evidence); // before our own hands are in its worktree
  const first = heldToScreen(conclude(evidence), drive, { at, state: on.state });
  const { head, change, ...end } = await left(first, evidence, !used.usageKnown, on);
  return { ...namingScript(end, evidence, on.repo), head, change, ...used };
}

type Left = Conclusion & Pick<RunEnd, "head" | "change">;

async function left(first: Conclusion, evidence: Evidence, isUnpaid: boolean, on: On): Promise<Left> {
  const { drive } = evidence;
  const { place } = drive.wish;
  const script = missingScript(evidence, on.repo);
  if (place.kind === "clean")
    return {
      ...unblamed(first, evidence, { isGone: false, isNothing: isUnpaid && saysItsName(evidence), script }),
      head: null,
      change: null,
    };
  await dropDeadLock(drive, on);
  const isGone = !existsSync(join(drive.worktree, ".git"));
  const claimsWork = !isCommand(drive) && first.how === "verdict" && ["PASS", "NO_CHANGE"].includes(first.verdict);
  const saved = claimsWork ? await salvage(drive, place, on) : NOT_SAVED;
  if (!claimsWork && !isCommand(drive)) await rejoin(drive, place, on);
  const { repo, git, signal } = on;
  const head = await tipOf(`refs/heads/${place.branch}`, { repo, git, signal });
  if (head !== null) await pin(drive, head, on);
  const seen = head && (await baseSeen(place.base, { repo, git, signal }));
  const base = head && seen && (await forkOf(drive.wish, { base: seen, head }, on));
  const brought = head && base && (await changeOf({ git, repo, signal, base, head }));
  const change = brought ? brought.change : null;
  const commits = change?.commits ?? 0;
  if (!claimsWork) {
    const isNothing = isUnpaid && commits === 0 && (isGone || (await isClean(drive, on)));
    return { ...unblamed(first, evidence, { isGone, isNothing, script }), head, change };
  }
  const judged = judge(first, {
    drive,
    saved: head === null ? branchGone(saved, place.branch) : saved,
    committed: brought ? brought.files : [],
    repositories: brought ? brought.repositories : [],
    unmerged: head === null || !place.merge ? [] : await conflictsWith(place.merge, head, on),
    commits,
    byRule: evidence.verdict.kind !== "verdict",
  });
  // what was to be judged went with the worktree
  const isLost = isGone && commits === 0;
  return { ...(isLost ? unblamed(judged, evidence, { isGone, isNothing: true, script }) : judged), head, change };
}

/** What cannot be read may hold something. */
const isClean = (drive: Drive, on: On): Promise<boolean> =>
  uncommitted(drive, on).then(
    (found) => found.every((one) => one.isCopy),
    () => false,
  );

const NOT_SAVED: Salvage = { left: [], faults: [] };

const branchGone = (saved: Salvage, branch: string): Salvage =>
  saved.faults.length > 0
    ? saved
    : { ...saved, faults: [{ text: `the branch ${branch} is gone: make it again at the work` }] };

/** Files in which the two cannot be merged; none also where git cannot tell: then the merge itself says so. */
async function conflictsWith(tip: Commit, head: Commit, { git, repo, signal }: On): Promise<readonly string[]> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", tip, head];
  const { code, stdout } = await git.run(args, { cwd: repo, signal });
  return code === 1
    ? [
        ...new Set(
          stdout
            .split("\0")
            .slice(1)
            .filter((file) => file !== ""),
        ),
      ]
    : [];
}

/** Work that nothing points to would be collected by git one day. */
async function pin({ wish }: Drive, head: Commit, { git, repo, signal }: On): Promise<void> {
  const { task, visit, attempt } = parseLeg(wish.leg);
  await git.must(["update-ref", `refs/pawl/run/${task}/${visit}/${attempt}`, head], { cwd: repo, signal });
}

function spent(
  at: LegPlace,
  claim: Claim,
  { drive, ended, verdict }: Evidence,
): Pick<RunEnd, "usage" | "usageKnown" | "unpriced"> {
  // what a worker says it spent is of its whole run
  const path = writtenBy(at, readClaim(legsUpTo(at)[0]!) ?? claim, "usage");
  const said =
    (verdict.kind === "verdict" && asReported(verdict.verdict.usage ?? {})) || (path ? reportedUsage(path) : null);
  const usage = {
    microUsd: said?.microUsd ?? 0,
    tokens: said?.tokens ?? 0,
    wallMs: worked(legsUpTo(at).slice(0, -1)) + (ended ? workedMs(ended) : livedFor(at, claim, drive)),
    spawns: 1,
  };
  const isUnpriced = said !== null && said.microUsd === null;
  return { usage, usageKnown: said !== null, ...(isUnpriced ? { unpriced: true as const } : {}) };
}

/** What it waited at gates costs nothing. */
const workedMs = ({ wall_ms, gate_ms = 0 }: Ended): Ms => Math.max(0, wall_ms - gate_ms);
const worked = (legs: readonly LegPlace[]): Ms =>
  legs.map(readEnded).reduce((sum, ended) => sum + (ended ? workedMs(ended) : 0), 0);

/** Without a driver nobody measured it: from its start to the last sign of life, and no longer than it was allowed. */
function livedFor(at: LegPlace, claim: Claim, drive: Drive): Ms {
  const files = [
    ...[LEG_FILES.log, LEG_FILES.claim].map((name) => join(at.folder, name)),
    ...[RUN_FILES.progress, RUN_FILES.verdict, RUN_FILES.usage, RUN_FILES.outbox].map((name) => join(at.run, name)),
    ...["HEAD", "index", join("logs", "HEAD")].map((name) => join(drive.gitDir, name)),
  ];
  const last = Math.max(...files.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  return Math.round(Math.min(Math.max(0, last - claim.at), drive.wish.wallMs));
}

const lost = (detail: string): RunEnd => ({
  how: "lost",
  detail,
  usage: { microUsd: 0, tokens: 0, wallMs: 0, spawns: 1 },
  usageKnown: false,
  head: null,
  change: null,
});
