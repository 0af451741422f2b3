/** How a remote answered for one ref. */
export type Pushed = { readonly kind: "taken" } | { readonly kind: "behind" | "declined"; readonly why: string };

/**
 * What `push --porcelain` said of the one ref that was pushed: FLAG, FROM:TO and SUMMARY (REASON), with tabs between; null
 * where it says nothing, because no remote was reached or a hook here said no.
 */
export function readPorcelain(stdout: string, to: string): Pushed | null {
  const row = stdout.split("\n").map((line) => line.split("\t"));
  const mine = row.find(([flag = "", refs = ""]) => /^[ *=+!-]$/.test(flag) && refs.endsWith(`:${to}`));
  if (mine === undefined) return null;
  const [flag, , why = ""] = mine;
  if (flag !== "!") return { kind: "taken" };
  return { kind: /^\[rejected\].*\((fetch first|non-fast-forward)\)/.test(why) ? "behind" : "declined", why };
}
