import type { ScopeReport } from "../../../workspace/scope/guard.ts";
import { oneLine } from "../printable.ts";

/** What became of what a command wrote, as `--json` has it. */
export const scopeDocument = ({ written, putBack, quarantined, unread }: ScopeReport) => ({
  written,
  put_back: putBack,
  quarantined,
  unread,
});

const MOST = 10;

/** The same in words: what was put right, and what nobody could look at. Nothing of what was allowed. */
export function scopeNotes({ putBack, quarantined, unread }: ScopeReport): readonly string[] {
  return [
    ...lines("outside the scope, put back", putBack),
    ...lines(
      "outside the scope, set aside",
      quarantined.map(({ path, to }) => `${path} -> ${to}`),
    ),
    ...lines("not looked at", unread),
  ];
}

function lines(what: string, paths: readonly string[]): readonly string[] {
  const shown = paths.slice(0, MOST).map((path) => `note: ${what}: ${oneLine(path)}`);
  return paths.length > MOST ? [...shown, `note: ${what}: ${paths.length - MOST} more`] : shown;
}
