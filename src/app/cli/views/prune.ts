import type { Goner, Keeper } from "../../prune/plan.ts";
import { oneLine, table } from "../printable.ts";
import { counted, short } from "./amounts.ts";

interface Prune {
  /** nothing was done yet */
  readonly dry: boolean;
  readonly go: readonly Goner[];
  readonly keep: readonly Keeper[];
}

/** What goes, with its bytes; what stays, with the reason; and the sum. */
export function pruneLines({ dry, go, keep }: Prune): readonly string[] {
  const rows = [
    ...go.map((one) => [dry ? "would go" : "removed", one.kind, one.task, size(one.bytes), what(one)]),
    ...keep.map(({ kind, task, why }) => ["kept", kind, task, "", oneLine(why)]),
  ];
  const bytes = size(go.reduce((sum, one) => sum + one.bytes, 0));
  if (go.length === 0) return [...table(rows), "nothing can go"];
  return [...table(rows), dry ? `${bytes} in all` : `${bytes} freed`];
}

const what = (one: Goner): string =>
  one.kind === "worktree" ? `merged as ${short(one.merged)}` : counted(one.paths.length, "run folder");

/** The same as a document. */
export const pruneJson = ({ dry, go, keep }: Prune) => ({
  ok: true,
  dry,
  [dry ? "would_remove" : "removed"]: go,
  kept: keep,
  bytes: go.reduce((sum, one) => sum + one.bytes, 0),
});

/** `12.3 MB`: thousands, as disks are sold */
export function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1_000 ** unit;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
