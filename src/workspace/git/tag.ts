import { type Checkout, exclusive, mustGit, runGit } from "./checkout.ts";
import { type GitRefusal, refused } from "./refused.ts";

export type TagOutcome =
  | { readonly kind: "tagged"; readonly tag: string; readonly commit: string; readonly isNew: boolean }
  | GitRefusal;

/** A name for a commit. One that stands for another commit is never moved; done again it is done already. */
export const tag = (on: Checkout, name: string, commit = "HEAD"): Promise<TagOutcome> =>
  exclusive(on, async () => {
    const ref = `refs/tags/${name}`;
    if (name.startsWith("-") || (await runGit(on, ["check-ref-format", ref])).code !== 0)
      return refused({ code: "REF_REFUSED", message: `${name} cannot name a tag`, next: "choose another name" });
    const wanted = await mustGit(on, ["rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`]);
    const there = await runGit(on, ["rev-parse", "--verify", "-q", `${ref}^{commit}`]);
    if (there.stdout.trim() === wanted) return { kind: "tagged", tag: name, commit: wanted, isNew: false };
    // forty zeros: only where no such tag is there
    const made = await runGit(on, ["update-ref", ref, wanted, "0".repeat(wanted.length)]);
    if (made.code === 0) return { kind: "tagged", tag: name, commit: wanted, isNew: true };
    return refused({
      code: "REF_REFUSED",
      message: `the tag ${name} was not made: ${there.code === 0 ? `it stands for ${there.stdout.trim()}` : made.stderr.trim()}`,
      next: "choose another name; tags are not moved",
    });
  });
