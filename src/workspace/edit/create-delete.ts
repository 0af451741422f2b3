import { countLines } from "./apply-hunks.ts";
import { type ByteText, isBinary, trimEnd } from "./byte-text.ts";
import { fold } from "./endings.ts";
import { exists, type Knowledge, present, refuse, sha256 } from "./knowledge.ts";
import type { Operation } from "./operation.ts";
import type { Now, Overlay } from "./overlay.ts";

/** A new file, or a new text for one where overwriting is meant; its mode stays. Throws Refused. */
export function create(
  { path, text, overwrite, isExecutable }: Extract<Operation, { op: "create" }>,
  overlay: Overlay,
  knowledge: Knowledge,
): void {
  const entry = overlay.place(path);
  if (isBinary(text))
    throw refuse("BINARY", path, { message: "its text holds NUL bytes", hint: "make it with a command" });
  const whole = knowledge.withEndings(entry, text);
  if (entry.now?.text === whole)
    throw refuse("ALREADY_APPLIED", path, { message: "it is there, with this very text", hint: "leave it out" });
  if (entry.now !== null && !overwrite) throw exists(path);
  const made: Now = {
    mode: null,
    owner: null,
    origin: null,
    hunks: [],
    added: 0,
    removed: 0,
    isExecutable,
    text: whole,
  };
  const { now } = entry;
  entry.now = now
    ? { ...now, text: whole, added: countLines(whole), removed: countLines(now.text) }
    : { ...made, added: countLines(whole) };
}

/** Takes a file away, if it holds what it should. Throws Refused. */
export function remove(
  { path, expected }: Extract<Operation, { op: "delete" }>,
  overlay: Overlay,
  knowledge: Knowledge,
): void {
  const entry = overlay.place(path);
  const now = present(entry, path, knowledge);
  const known = knowledge.readAs(entry);
  const isStale = knowledge.hasChanged(entry) || (known !== undefined && sha256(now.text) !== known);
  if (expected === null ? isStale : !isSame(now.text, expected))
    throw refuse(isStale ? "STALE" : "NOT_FOUND", path, {
      message: isStale ? "it has changed since it was read" : "it does not hold what the patch says that it deletes",
      hint: "read it again; if it is to go all the same, delete it without its text",
    });
  entry.now = null;
}

/** But for line ends, and one at its end. */
const isSame = (a: ByteText, b: ByteText): boolean => a === b || trimEnd(fold(a)) === trimEnd(fold(b));
