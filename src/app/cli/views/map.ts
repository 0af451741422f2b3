import type { SkippedFile } from "../../../workspace/index/code-index.ts";
import type { RepoMap } from "../../../workspace/index/repo-map.ts";

/** What files define, as `--json` has it. */
export const mapDocument = (
  { entries, of, tokens }: RepoMap,
  { tokens: budget, skipped }: { tokens: number; skipped: readonly SkippedFile[] },
) => ({
  ok: true,
  files: entries.map(({ text: _, definitions, ...entry }) => ({
    ...entry,
    definitions: definitions.map(({ kind, name, line, signature }) => ({ kind, name, line, signature })),
  })),
  of,
  tokens,
  budget,
  skipped,
});
