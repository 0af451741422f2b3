/** What git was not asked to do, or did not do, and nothing is lost by it: an answer, not an exception. */
export interface GitRefusal {
  readonly kind: "refused";
  /** a word of docs/errors.md */
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly paths?: readonly string[];
}

type Words = Omit<GitRefusal, "kind">;
export const refused = (words: Words): GitRefusal => ({ kind: "refused", ...words });

/** The end of what git, or a hook of it, said. */
export const saidBy = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string =>
  `${stderr}\n${stdout}`.trim().slice(-2_000) || "it said nothing";
