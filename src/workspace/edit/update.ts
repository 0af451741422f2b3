import { createHash } from "node:crypto";
import { applyHunks, type HunkError } from "./apply-hunks.ts";
import { type ByteText, isBinary } from "./byte-text.ts";
import { exists, type Knowledge, present, refuse, sha256 } from "./knowledge.ts";
import type { Update } from "./operation.ts";
import type { Entry, Now, Overlay } from "./overlay.ts";
import type { EditCode, EditError } from "./refusal.ts";

/** Hunks, mode and move of one file, in that order. Gives every hunk that does not fit; throws Refused for the rest. */
export function update(operation: Update, overlay: Overlay, knowledge: Knowledge): readonly EditError[] {
  const { path, to, hunks } = operation;
  const entry = to === null ? overlay.file(path) : overlay.place(path);
  const now = present(entry, path, knowledge);
  if (hunks.length > 0) mayChange(now, path);
  const errors = hunks.length > 0 ? change(entry, operation, { now, knowledge }) : [];
  if (errors.length > 0) return errors.map((error) => ({ ...error, path }));
  if (operation.isExecutable !== null) setMode(entry, operation, operation.isExecutable);
  if (to !== null) move(entry, overlay.place(to), operation);
  return [];
}

function mayChange({ text, mode }: Now, path: string): void {
  if (isBinary(text))
    throw refuse("BINARY", path, { message: "it is binary: it holds NUL bytes", hint: "change it with a command" });
  if (mode !== null && (mode & 0o222) === 0)
    throw refuse("IO", path, {
      message: `it is read-only (mode 0${mode.toString(8)})`,
      hint: `chmod u+w ${path} first, if it is meant to be edited`,
    });
}

interface Changing {
  readonly now: Now;
  readonly knowledge: Knowledge;
}

function change(entry: Entry, { hunks, blob }: Update, { now, knowledge }: Changing): readonly HunkError[] {
  const known = knowledge.readAs(entry);
  const wasRead = known !== undefined && entry.before !== null && sha256(entry.before.text) !== known;
  const isStale = wasRead || knowledge.hasChanged(entry);
  const headers = blob !== null && isBlob(now.text, blob);
  const isOther = blob !== null && !headers;
  const applied = applyHunks(now.text, hunks, { headers, lessContext: isStale || isOther });
  if (applied.errors.length > 0)
    return applied.errors.map((error) => (isStale || (isOther && error.code === "NOT_FOUND") ? stale(error) : error));
  entry.now = {
    ...now,
    text: applied.text,
    hunks: [...now.hunks, ...applied.hunks],
    added: now.added + applied.added,
    removed: now.removed + applied.removed,
  };
  return [];
}

const PLACING: readonly EditCode[] = ["NOT_FOUND", "AMBIGUOUS", "OVERLAP"];

/** The same fault, where the file is not the one that was read. */
const stale = (error: HunkError): HunkError =>
  PLACING.includes(error.code)
    ? {
        ...error,
        code: "STALE",
        message: `it has changed since it was read, and now ${error.message}`,
        hint: `read it again, and make the hunk from what is there (${error.hint})`,
      }
    : error;

/** Whether git's name for these bytes begins so. */
function isBlob(text: ByteText, name: string): boolean {
  const hash = createHash(name.length > 40 ? "sha256" : "sha1");
  return hash.update(`blob ${text.length}\0`).update(text, "latin1").digest("hex").startsWith(name);
}

function setMode(entry: Entry, { path, hunks, to }: Update, isExecutable: boolean): void {
  const now = entry.now!;
  const mode = now.mode ?? 0o644;
  const wanted = isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
  if (wanted === mode && hunks.length === 0 && to === null)
    throw refuse("ALREADY_APPLIED", path, { message: "it has that mode already", hint: "leave it out" });
  entry.now = { ...now, mode: now.mode === null ? null : wanted, isExecutable };
}

function move(from: Entry, to: Entry, { path, to: name, overwrite }: Update): void {
  if (from === to) throw refuse("NO_CHANGE", path, { message: "it is moved onto itself", hint: "leave it out" });
  if (to.now !== null && !overwrite) throw exists(name!);
  to.now = from.now;
  from.now = null;
}
