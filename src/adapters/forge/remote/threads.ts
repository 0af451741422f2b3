import { createHash } from "node:crypto";
import type { SignalAnswer } from "../../../domain/input.ts";
import type { Reported } from "../../../domain/outcome.ts";
import { plain } from "../../../workspace/commands/plain.ts";

/** A conversation at a file of a pull request. */
export interface Thread {
  /** the same for ever, whatever is said in it */
  readonly id: string;
  readonly file: string | null;
  /** in the head where it is known, else where it was begun */
  readonly line: number | null;
  /** its lines have been changed since */
  readonly isOutdated: boolean;
  readonly isResolved: boolean;
  /** oldest first, as it reads now */
  readonly said: readonly { readonly by: string; readonly isMember: boolean; readonly text: string }[];
}

type Person = { readonly by: string; readonly isMember: boolean };
type Said = { readonly threads: readonly Reported[]; readonly over: readonly string[] };

/**
 * What threads say to a worker: those that are open, with what was said by people who count (`counts`); and the keys of
 * those that were resolved. What only people said who approve of the head (`fors`) keeps nothing back.
 */
export function saidIn(
  threads: readonly Thread[],
  { counts, fors }: { counts: (person: Person) => boolean; fors: readonly string[] },
): Said {
  const approves = new Set(fors.map((name) => name.toLowerCase()));
  const open = threads.flatMap((thread): readonly Reported[] => {
    const said = thread.said.filter((one) => counts(one) && one.text.trim() !== "");
    if (thread.isResolved || said.every(({ by }) => approves.has(by.toLowerCase()))) return [];
    return [{ key: keyOf(thread), text: textOf(thread, said), ...placeOf(thread) }];
  });
  return { threads: open, over: threads.filter(({ isResolved }) => isResolved).map(keyOf) };
}

/** The answer with them; null: nothing was said at all. `id` is another one for other words. */
export function withThreads(
  answer: SignalAnswer | null,
  { threads, over }: Said,
  nobody: Pick<SignalAnswer, "id" | "head" | "by">,
): SignalAnswer | null {
  if (threads.length === 0 && over.length === 0) return answer;
  const of = answer ?? { ...nobody, status: "pending" as const, message: null, findings: [] };
  const words = threads.map(({ key, text }) => `${key} ${text}`).sort();
  const hash = createHash("sha256").update(words.join("\n")).digest("hex").slice(0, 16);
  return { ...of, id: threads.length === 0 ? of.id : `${of.id}:${hash}`, threads, over };
}

const keyOf = ({ id }: Thread): string => `thread:${id}`;

function textOf({ isOutdated }: Thread, said: Thread["said"]): string {
  const words = said.map(({ by, text }) => (said.length === 1 ? plain(text) : `${by}: ${plain(text)}`).trim());
  return `${words.join("\n")}${isOutdated ? "\n(said of lines that were changed since)" : ""}`;
}

const placeOf = ({ file, line }: Thread): Pick<Reported, "file" | "line"> => ({
  ...(file === null ? {} : { file }),
  ...(line === null ? {} : { line }),
});
