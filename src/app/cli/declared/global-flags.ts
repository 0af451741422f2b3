/** Flags of every command, as commander reads them, in the order of the help. */
export const GLOBAL_FLAGS: readonly (readonly [flags: string, text: string])[] = [
  ["--json", "one JSON document instead of text"],
  ["--repo <dir>", "the repository (default: the one of this folder, PAWL_REPO)"],
  ["--store <path>", "the store: a file or postgres://… (default: .pawl/store.db, PAWL_STORE)"],
  ["-q, --quiet", "results and errors only"],
  ["--no-color", "no colours"],
  ["--yes", "answer yes to what would be asked"],
];
