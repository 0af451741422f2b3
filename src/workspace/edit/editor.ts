import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Files } from "../../ports/files.ts";
import { fromBytes, fromText } from "./byte-text.ts";
import { changedSince } from "./changed.ts";
import { commit } from "./commit.ts";
import type { Edit } from "./edit.ts";
import { type LockParts, lockLost, withLock } from "./edit-lock.ts";
import { operationsOf } from "./json-edits.ts";
import type { Root, Scope } from "./locate.ts";
import type { Operation } from "./operation.ts";
import { type Plan, type PlannedFile, planOf } from "./plan.ts";
import { previewOf } from "./preview.ts";
import { readEdits } from "./read-edits.ts";
import { hasJournals, recoverAll } from "./recover.ts";
import { type EditError, errorOf, Refused } from "./refusal.ts";
import type { Desk, Settled } from "./settle.ts";

/** What `apply` did: all of it, durable; or nothing at all, and why. */
export type EditResult =
  | { readonly ok: true; readonly files: readonly PlannedFile[] }
  | { readonly ok: false; readonly error: EditError; readonly errors: readonly EditError[] };

export interface EditLimits {
  /** the biggest file that is edited */
  readonly maxBytes: number;
  /** ms: how long another editor of the same folder is waited for */
  readonly waitMs: number;
}

/** Text in any of the four formats, its bytes, several of those one after the other, or the edits of the JSON form. */
export type Sent = string | Uint8Array | readonly Uint8Array[] | readonly Edit[];

/** The hands that edit the files below one folder. */
export interface Editor {
  /**
   * What would be done to the files as they are now; writes nothing, but first brings to an end what a crash broke off.
   * `known`: sha256, in hex, of files as they were when they were read, by path: what is different then is noticed.
   */
  plan(sent: Sent, known?: ReadonlyMap<string, string>): Promise<Plan>;
  /** a unified diff of it, in bytes, that `git apply` takes where no file is binary */
  preview(plan: Plan): Uint8Array;
  /**
   * All or nothing, across files and across a crash; durable when it resolves. A file that is not as it was planned any
   * more is planned again once, as it is now, and its hunks with less context; what then does not fit is STALE.
   */
  apply(plan: Plan): Promise<EditResult>;
  /** Brings to an end what a crash broke off: all of it, or none. Says what became of each. */
  recover(): Promise<readonly Settled[]>;
}

export interface EditorParts extends LockParts {
  readonly files: Files;
  /** absolute; paths of edits start there */
  readonly root: string;
  readonly scope: Scope;
  /** absolute; made where it is not there. The same for all editors of this root: it also keeps them apart */
  readonly journalDir: string;
  readonly limits?: Partial<EditLimits>;
}

const LIMITS: EditLimits = { maxBytes: 256 * 2 ** 20, waitMs: 30_000 };

/** Throws PawlError EDIT_ROOT where there is no such folder. */
export function createEditor(parts: EditorParts): Editor {
  const { files, scope } = parts;
  const { maxBytes, waitMs } = { ...LIMITS, ...parts.limits };
  const journalDir = realPath(files, parts.journalDir);
  const root: Root = { files, scope, path: realFolder(files, parts.root), journalDir };
  const desk: Desk = { files, root: root.path, journalDir };
  const recover = () => withLock({ ...parts, desk, waitMs }, () => recoverAll(desk));
  const planned = (operations: readonly Operation[], known: Known, changed: ReadonlySet<string>) =>
    planOf(operations, { root, maxBytes, known, changed });
  return {
    recover: async () => (hasJournals(desk) ? recover() : []),
    preview: ({ changes }) => previewOf(changes),
    async plan(sent, known = new Map()) {
      try {
        if (hasJournals(desk)) await recover();
        return planned(operationsIn(sent), known, new Set());
      } catch (error) {
        const refusal = errorOf(error);
        return { operations: [], known, files: [], changes: [], seen: [], error: refusal, errors: [refusal] };
      }
    },
    async apply(plan) {
      if (plan.error) return refusedWith(plan);
      try {
        return await withLock({ ...parts, desk, waitMs }, async (lock) => {
          await recoverAll(desk);
          const current = upToDate(plan, { root, maxBytes, planned });
          if (current.error) return refusedWith(current);
          if (!lock.isHeld()) throw lockLost(journalDir);
          await commit(desk, current.changes, randomUUID().slice(0, 8));
          return { ok: true, files: current.files };
        });
      } catch (error) {
        const refusal = errorOf(error);
        return { ok: false, error: refusal, errors: [refusal] };
      }
    },
  };
}

type Known = ReadonlyMap<string, string>;

const refusedWith = ({ error, errors }: Plan): EditResult => ({ ok: false, error: error!, errors });

function operationsIn(sent: Sent): readonly Operation[] {
  if (typeof sent === "string") return readEdits(fromText(sent));
  if (sent instanceof Uint8Array) return readEdits(fromBytes(sent));
  const isBytes = (one: Uint8Array | Edit): one is Uint8Array => one instanceof Uint8Array;
  const texts = [...sent].filter(isBytes);
  return texts.length > 0 ? texts.flatMap(operationsIn) : operationsOf(sent as readonly Edit[]);
}

interface Checking {
  readonly root: Root;
  readonly maxBytes: number;
  readonly planned: (operations: readonly Operation[], known: Known, changed: ReadonlySet<string>) => Plan;
}

/** The plan, where every file is as it was planned; else one made anew, once. */
function upToDate(plan: Plan, { root, maxBytes, planned }: Checking): Plan {
  const changed = changedSince(plan, root, maxBytes);
  if (changed.size === 0) return plan;
  const fresh = planned(plan.operations, plan.known, changed);
  const [again] = fresh.error ? [] : changedSince(fresh, root, maxBytes);
  if (again === undefined) return fresh;
  throw new Refused({
    code: "STALE",
    path: again,
    message: "it changes faster than it can be edited",
    hint: "see who writes to it, and try again",
  });
}

function realFolder(files: Files, path: string): string {
  const { real, missing, kind } = files.resolve(path);
  if (missing.length === 0 && kind === "folder") return real;
  throw new PawlError("EDIT_ROOT", `${path} is no folder`, { next: "name the folder that the paths start in" });
}

function realPath(files: Files, path: string): string {
  const { real, missing } = files.resolve(path);
  return posix.join(real, ...missing);
}
