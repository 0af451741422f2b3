import { isDeepStrictEqual } from "node:util";
import type { EndState, TaskEnd } from "./end-state.ts";

export type FaultKind = "lost" | "twice" | "differs" | "notice" | "stuck";
export interface Fault {
  readonly kind: FaultKind;
  readonly text: string;
}
export interface Comparison {
  readonly faults: readonly Fault[];
  /** notices sent again because the crash fell between sending and recording: allowed, counted */
  readonly repeated: number;
}

/** `kills`: how many drivers and workers were killed besides the processor. */
export function compare(clean: EndState, end: EndState, kills: number): Comparison {
  const faults: Fault[] = [];
  const fault = (kind: FaultKind, text: string) => void faults.push({ kind, text });
  for (const id of Object.keys(clean.tasks)) {
    const was = end.tasks[id];
    if (!was || (was.status !== "completed" && was.status !== "failed"))
      fault("lost", `${id} is ${was?.status ?? "gone"}`);
    else if (!sameTask(clean.tasks[id]!, was, kills))
      fault("differs", `${id}: ${said(was)}, not ${said(clean.tasks[id]!)}`);
  }
  if (end.tree !== clean.tree) fault("differs", `the base's tree is ${end.tree}, not ${clean.tree}`);
  if (!isDeepStrictEqual(end.pulls, clean.pulls))
    fault("differs", `pull requests: ${JSON.stringify(end.pulls)}, not ${JSON.stringify(clean.pulls)}`);
  if (!isDeepStrictEqual(end.far?.pulls, clean.far?.pulls))
    fault("differs", `at the forge: ${JSON.stringify(end.far?.pulls)}, not ${JSON.stringify(clean.far?.pulls)}`);
  for (const text of twice(clean, end, kills)) fault("twice", text);
  if (!sameNotices(clean, end, kills))
    fault("differs", `notices: ${without(end, clean)}; missing: ${without(clean, end)}`);
  const { wrong, repeated } = noticesAgain(end);
  for (const key of wrong) fault("notice", `${key} was sent again after it was recorded`);
  for (const leg of end.unfinished) fault("stuck", `${leg} still lives`);
  return { faults, repeated };
}

const said = ({ status, phase, round, findings }: TaskEnd): string =>
  `${status} at ${phase}, round ${round}, findings ${JSON.stringify(findings)}`;

/** A driver or a worker that was killed may cost one round and leave one crash finding. */
function sameTask(clean: TaskEnd, end: TaskEnd, kills: number): boolean {
  if (kills === 0) return isDeepStrictEqual(clean, end);
  const more = end.findings.filter((text) => !clean.findings.includes(text));
  const crashes = more.filter((text) => /without writing verdict|crash|killed|SIGKILL/i.test(text));
  return (
    end.status === clean.status &&
    end.phase === clean.phase &&
    end.round >= clean.round - kills &&
    end.round <= clean.round + kills &&
    more.length === crashes.length &&
    crashes.length <= kills
  );
}

/** What happened twice, counted where it happened. */
function twice(clean: EndState, end: EndState, kills: number): readonly string[] {
  const legs = doubles(end.starts).map((leg) => `leg ${leg} was started twice`);
  // a later leg of a run that was parked is no second try of its visit
  const visits = doubles(end.starts.filter((leg) => leg.endsWith(".1")).map(visitOf));
  const runs = visits.length > kills ? visits.map((visit) => `visit ${visit} was started twice`) : [];
  const stamps = doubles(end.stamps).map((task) => `the command of ${task} ran twice`);
  const moves = Object.entries(end.moves).flatMap(([ref, made]) => {
    const expected = clean.moves[ref]?.length ?? 0;
    const most = expected + (ref.startsWith("heads/pawl/") ? kills : 0);
    const same = doubles(made.map((move) => move.to)).map((to) => `${ref} came to ${to} twice`);
    const many =
      made.length > most
        ? [`${ref} moved ${made.length} times, not ${expected}: ${made.map((m) => m.said).join(", ")}`]
        : [];
    return [...same, ...many];
  });
  const merges = doubles((end.moves["heads/main"] ?? []).map((move) => move.said)).map(
    (title) => `"${title}" was merged twice`,
  );
  const pulls = Object.entries(end.pulls)
    .filter(([branch, made]) => made.length > (clean.pulls[branch]?.length ?? 0))
    .map(([branch, made]) => `${branch} has ${made.length} pull requests`);
  const times = (state: EndState, what: string) => state.far?.did.filter((one) => one === what).length ?? 0;
  const far = [...new Set(end.far?.did)]
    .filter((what) => times(end, what) > Math.max(1, times(clean, what)))
    .map((what) => `${what}: ${times(end, what)} times at the forge`);
  return [...legs, ...runs, ...stamps, ...moves, ...merges, ...pulls, ...far];
}

/** task/visit/attempt.leg -> task/visit, an action and the question whether it happened being different programs */
const visitOf = (leg: string): string => leg.split("/").slice(0, 2).join("/");

function doubles(items: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return [...new Set(items.filter((item) => seen.size === seen.add(item).size))];
}

const keys = ({ notices }: EndState): ReadonlySet<string> => new Set(notices.map(({ key }) => key));
const without = (one: EndState, other: EndState): string =>
  [...keys(one)].filter((key) => !keys(other).has(key)).join(", ") || "none";

/** The same keys; where a driver or worker was killed, visits move on, and a crash may be told besides. */
function sameNotices(clean: EndState, end: EndState, kills: number): boolean {
  if (kills === 0) return without(clean, end) === "none" && without(end, clean) === "none";
  const events = (state: EndState) =>
    [
      ...new Map(state.notices.map((notice) => [notice.key, `${notice.key.split("/")[0]} ${notice.event}`])).values(),
    ].sort();
  const left = [...events(end)];
  for (const event of events(clean)) {
    const at = left.indexOf(event);
    if (at === -1) return false;
    left.splice(at, 1);
  }
  return left.every((event) => / (crashed|waiting)$/.test(event)) && left.length <= 2 * kills;
}

/** Again in the same life, or in a life after the one that recorded it: not allowed. */
function noticesAgain({ notices, recorded }: EndState): { wrong: readonly string[]; repeated: number } {
  const byKey = grouped(notices);
  const wrong = [...byKey].flatMap(([key, sent]) => {
    const epochs = sent.map(({ epoch }) => epoch);
    const end = recorded[key]?.[0] ?? Number.POSITIVE_INFINITY;
    return doubles(epochs.map(String)).length > 0 || epochs.some((epoch) => epoch > end) ? [key] : [];
  });
  return { wrong, repeated: notices.length - byKey.size };
}

function grouped<T extends { key: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(item.key, [...(groups.get(item.key) ?? []), item]);
  return groups;
}
