import type { Commit, EffectKey, TaskId } from "../../domain/names.ts";
import { atFar, type Hands, output } from "./refs.ts";

/**
 * A pull request of the local forge: a JSON blob under `refs/pawl/pr/N` at the far end.
 *
 *   draft -> open -> merged        by Pawl
 *   draft | open -> closed         by a person: `git update-ref -d refs/pawl/pr/N`, or `closePullRequest`
 */
export interface Pull {
  readonly version: 1;
  readonly number: number;
  /** key of the effect that opened it */
  readonly key: EffectKey;
  readonly task: TaskId;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly state: "draft" | "open" | "merged" | "closed";
  /** the head it was opened with; of a merged one, the head that was merged */
  readonly head: Commit;
  readonly merged: Commit | null;
  readonly opened_at: string;
}

/** A pull request and the blob that says so: what a compare-and-swap names. */
export interface Held {
  readonly pull: Pull;
  readonly blob: string;
}

const FOLDER = "refs/pawl/pr/";
export const urlOf = (number: number): string => `pawl://pr/${number}`;
export const numberOf = (url: string): number | null => {
  const found = /^pawl:\/\/pr\/([1-9]\d{0,8})$/.exec(url);
  return found ? Number(found[1]) : null;
};
export const isOpen = (pull: Pull): boolean => pull.state === "draft" || pull.state === "open";

/** Every pull request at the far end, oldest first. `highest` counts refs that cannot be read too. */
export async function listPulls(hands: Hands): Promise<{ readonly pulls: readonly Held[]; readonly highest: number }> {
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", FOLDER];
  const refs = parsePullRefs(await output(atFar(hands, args), "list the pull requests"));
  const texts = await readBlobs(hands, [...refs.values()]);
  const pulls = [...refs].flatMap(([number, blob]) => held(number, blob, texts.get(blob)));
  return { pulls, highest: Math.max(0, ...refs.keys()) };
}

/** Number -> blob, in order of number, of lines `object refname`. Other lines are passed over. */
export function parsePullRefs(lines: string): ReadonlyMap<number, string> {
  const found = lines.split("\n").flatMap((line) => {
    const [blob, name] = line.split(" ") as [string, string?];
    const number = name?.startsWith(FOLDER) ? numberOf(urlOf(Number(name.slice(FOLDER.length)))) : null;
    return number === null ? [] : [[number, blob] as const];
  });
  return new Map(found.sort(([a], [b]) => a - b));
}

/** What a ref's blob says, as nothing or one. */
export function held(number: number, blob: string, text: string | undefined): readonly Held[] {
  const pull = text === undefined ? null : parsePull(text);
  return pull === null ? [] : [{ pull: { ...pull, number }, blob }];
}

/** Blobs by id, in one process; what is not there or no blob is left out. */
export async function readBlobs(hands: Hands, blobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
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
    const read = JSON.parse(text) as Partial<Pull> | null;
    const texts = [read?.key, read?.task, read?.branch, read?.base, read?.head];
    const isPull = STATES.has(read?.state) && texts.every((part) => typeof part === "string");
    return isPull ? ({ merged: null, ...read } as Pull) : null;
  } catch {
    return null;
  }
}

/** Creates it; false: that number is taken (or git could not write, which a second look tells apart). */
export const createPull = (hands: Hands, pull: Pull): Promise<boolean> => swap(hands, pull, "");

/** Replaces what `was` says; false: somebody else was faster. Fields that we do not know are kept. */
export const movePull = (hands: Hands, was: Held, change: Partial<Pull>): Promise<boolean> =>
  swap(hands, { ...was.pull, ...change }, was.blob);

async function swap(hands: Hands, pull: Pull, old: string): Promise<boolean> {
  const input = `${JSON.stringify(pull, null, 2)}\n`;
  const blob = (await output(atFar(hands, ["hash-object", "-w", "--stdin"], { input }), "keep a pull request")).trim();
  const args = ["update-ref", "-m", `pawl: ${pull.state}`, `${FOLDER}${pull.number}`, blob, old];
  return (await atFar(hands, args)).code === 0;
}

/** Closes one, as a person would: its blob says "closed" from then on. False: there is no such one, or it is not open. */
export async function closePullRequest(hands: Hands, url: string): Promise<boolean> {
  const { pulls } = await listPulls(hands);
  const one = pulls.find(({ pull }) => urlOf(pull.number) === url);
  return one !== undefined && isOpen(one.pull) && movePull(hands, one, { state: "closed" });
}
