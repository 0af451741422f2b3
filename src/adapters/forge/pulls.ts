import { PawlError } from "../../domain/errors.ts";
import type { Commit, EffectKey, TaskId } from "../../domain/names.ts";
import { saysNoRoom } from "../../ports/full-disk.ts";
import { atFar, type Hands, output } from "./refs.ts";

/**
 * What we go by of a pull request of the local forge: a JSON blob under `refs/pawl/pr/N` at the far end, which also has
 * its version, title, body and opened_at.
 *
 *   draft -> open -> merged        by Pawl
 *   draft | open -> closed         by a person: `git update-ref -d refs/pawl/pr/N`, or `closePullRequest`
 */
export interface Pull {
  readonly number: number;
  /** key of the effect that opened it */
  readonly key: EffectKey;
  readonly task: TaskId;
  readonly branch: string;
  readonly base: string;
  readonly state: "draft" | "open" | "merged" | "closed";
  /** the head it was opened with; of a merged one, the head that was merged */
  readonly head: Commit;
  readonly merged: Commit | null;
}

/** A pull request and the blob that says so: what a compare-and-swap names. */
export interface Held {
  readonly pull: Pull;
  readonly blob: string;
  /** what the blob says, also what we do not know */
  readonly text: string;
}

/** What blobs say, as read or written before; pull null: it is none. A blob cannot change. */
export type KnownBlobs = Map<string, Pick<Held, "text"> & { readonly pull: Pull | null }>;

export const PULLS = "refs/pawl/pr/";
export const urlOf = (number: number): string => `pawl://pr/${number}`;
export const numberOf = (url: string): number | null => {
  const found = /^pawl:\/\/pr\/([1-9]\d{0,8})$/.exec(url);
  return found ? Number(found[1]) : null;
};
export const isOpen = (pull: Pull): boolean => pull.state === "draft" || pull.state === "open";

/** The pull request of that URL, if it is still the one of that branch; null: closed by removing its ref. */
export function pullOf(pulls: readonly Held[], { pr, branch }: { pr: string; branch: string }): Held | null {
  const number = numberOf(pr);
  return pulls.find(({ pull }) => pull.number === number && pull.branch === branch) ?? null;
}

/** Number -> blob, in order of number, of lines `object refname`. Other lines are passed over. */
export function parsePullRefs(lines: string): ReadonlyMap<number, string> {
  const found = lines.split("\n").flatMap((line) => {
    const [blob, name] = line.split(" ") as [string, string?];
    const number = name?.startsWith(PULLS) ? numberOf(`pawl://pr/${name.slice(PULLS.length)}`) : null;
    return number === null ? [] : [[number, blob] as const];
  });
  return new Map(found.sort(([a], [b]) => a - b));
}

/** Reads what those refs say, oldest first. A blob that was read before is not read again: it cannot change. */
export async function readPulls(hands: Hands, refs: ReadonlyMap<number, string>): Promise<readonly Held[]> {
  const read = new Map([...refs.values()].map((blob) => [blob, hands.pulls.get(blob)]));
  const texts = await readBlobs(
    hands,
    [...read.keys()].filter((blob) => read.get(blob) === undefined),
  );
  for (const [blob, text] of texts) read.set(blob, { pull: parsePull(text), text });
  // what another call of this forge put there or took away meanwhile is no matter: this one goes by its own list
  hands.pulls.clear();
  for (const [blob, known] of read) if (known !== undefined) hands.pulls.set(blob, known);
  return [...refs].flatMap(([number, blob]) => {
    const { pull = null, text = "" } = read.get(blob) ?? {};
    return pull === null ? [] : [{ pull: { ...pull, number }, blob, text }];
  });
}

/** Blobs by id, in one process; what is not there or no blob is left out. */
async function readBlobs(hands: Hands, blobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (blobs.length === 0) return new Map();
  const input = `${[...new Set(blobs)].join("\n")}\n`;
  const bytes = Buffer.from(await output(atFar(hands, ["cat-file", "--batch"], { input }), "read the pull requests"));
  const found = new Map(parseBatch(bytes));
  // bytes that are no UTF-8 (not ours) lose the count of those behind them: read these one by one
  for (const blob of blobs) {
    if (found.has(blob)) continue;
    const { code, stdout } = await atFar(hands, ["cat-file", "blob", blob]);
    if (code === 0) found.set(blob, stdout);
  }
  return found;
}

/** `cat-file --batch`: a header line `id type size`, that many bytes, a newline. */
function* parseBatch(bytes: Buffer): Generator<[string, string]> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    if (end === -1) return;
    const [id, type, size] = bytes.toString("utf8", at, end).split(" ") as [string, string, string?];
    at = end + 1;
    if (size === undefined) continue; // `id missing`
    if (type === "blob") yield [id, bytes.toString("utf8", at, at + Number(size))];
    at += Number(size) + 1;
  }
}

const STATES: ReadonlySet<unknown> = new Set(["draft", "open", "merged", "closed"]);

/** null: not a pull request. Somebody else may write there; that is no reason to fail. */
function parsePull(text: string): Pull | null {
  try {
    const { number, key, task, branch, base, state, head, merged } = JSON.parse(text) as Pull;
    const isPull = STATES.has(state) && [key, task, branch, base, head].every((part) => typeof part === "string");
    return isPull ? { number, key, task, branch, base, state, head, merged: merged ?? null } : null;
  } catch {
    return null;
  }
}

/**
 * Creates it; false: that number is taken (or git could not write, which a second look tells apart). Throws GIT_FAILED
 * where there is no room.
 */
export const createPull = (hands: Hands, pull: Pull & Readonly<Record<string, unknown>>): Promise<boolean> =>
  swap(hands, pull, "");

/** Replaces what `was` says; false: somebody else was faster. Fields that we do not know are kept. */
export function movePull(hands: Hands, was: Held, change: Partial<Pull>): Promise<boolean> {
  return swap(hands, { ...(JSON.parse(was.text) as object), ...was.pull, ...change }, was.blob);
}

async function swap(hands: Hands, pull: Pull, old: string): Promise<boolean> {
  const input = `${JSON.stringify(pull, null, 2)}\n`;
  const blob = (await output(atFar(hands, ["hash-object", "-w", "--stdin"], { input }), "keep a pull request")).trim();
  hands.pulls.set(blob, { pull: parsePull(input), text: input });
  const args = ["update-ref", "-m", `pawl: ${pull.state}`, `${PULLS}${pull.number}`, blob, old];
  const { code, stderr } = await atFar(hands, args);
  if (code !== 0 && saysNoRoom(stderr))
    throw new PawlError("GIT_FAILED", `git could not keep a pull request: ${stderr}`);
  return code === 0;
}
