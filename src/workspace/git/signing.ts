import { type Checkout, mustGit, runGit } from "./checkout.ts";
import { type GitRefusal, refused, saidBy } from "./refused.ts";

const PROBE_MS = 15_000;

/**
 * Where commits are to be signed, whether that works without anybody to type a passphrase: a commit that no branch ever
 * sees is signed, within a short time. null: it does, or none is asked for.
 */
export async function signingFault(on: Checkout, timeoutMs = PROBE_MS): Promise<GitRefusal | null> {
  const { stdout } = await runGit(on, ["config", "--type=bool", "--get", "commit.gpgSign"]);
  if (stdout.trim() !== "true") return null;
  const tree = await mustGit(on, ["mktree"], { input: "" });
  const tried = await runGit(on, ["commit-tree", "-S", "-m", "Can this be signed?", tree], { timeoutMs });
  return tried.code === 0 ? null : unsigned(saidBy(tried));
}

/** Also for what a later command said of its signature. */
export const unsigned = (said: string): GitRefusal =>
  refused({
    code: "SIGNING_UNAVAILABLE",
    message: `commits are to be signed here (commit.gpgSign), and that does not work unattended: ${said}`,
    next: "unlock the key for an agent that this process reaches, or set commit.gpgSign to false for this repository",
  });
