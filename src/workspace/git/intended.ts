import { randomUUID } from "node:crypto";
import { BY_NAME, type Checkout, mustGit, named, runGit } from "./checkout.ts";
import { type GitRefusal, refused, saidBy } from "./refused.ts";

/** What a commit of some paths has to come to. */
interface Intended {
  readonly kind: "tree";
  readonly tree: string;
  /** it is that of the parent already */
  readonly isSame: boolean;
}

/** Made in an index of its own, so that what hooks do to the commit can be told afterwards. */
export async function intendedTree(
  on: Checkout,
  parent: string | null,
  paths: readonly string[],
): Promise<Intended | GitRefusal> {
  const index = `${on.gitDir}/pawl-intended-${randomUUID()}`;
  const env = { GIT_INDEX_FILE: index };
  try {
    await mustGit(on, ["read-tree", ...(parent === null ? ["--empty"] : [parent])], { env });
    const added = await runGit(on, ["add", ...BY_NAME], { env, input: named(await present(on, env, paths)) });
    if (added.code !== 0) return unstaged(saidBy(added));
    const tree = await mustGit(on, ["write-tree"], { env });
    return { kind: "tree", tree, isSame: tree === (await treeOf(on, parent)) };
  } finally {
    for (const file of [index, `${index}.lock`]) if (on.files.read(file, 0).kind !== "none") on.files.unlink(file);
  }
}

/** `add` refuses names that are neither there nor known: a file that was staged, and is gone again, is such a one. */
async function present(
  on: Checkout,
  env: Record<string, string>,
  paths: readonly string[],
): Promise<readonly string[]> {
  const known = new Set((await mustGit(on, ["ls-files", "-z"], { env })).split("\0"));
  return paths.filter((path) => known.has(path) || on.files.read(`${on.top}/${path}`, 0).kind !== "none");
}

const treeOf = async (on: Checkout, parent: string | null): Promise<string | null> =>
  parent === null ? null : mustGit(on, ["rev-parse", `${parent}^{tree}`]);

function unstaged(said: string): GitRefusal {
  if (/(LF|CRLF) would be replaced/.test(said))
    return refused({
      code: "LINE_ENDINGS",
      message: `core.safecrlf keeps git from taking up a file whose line ends it would change: ${said}`,
      next: "write the line ends that the rest of the file has",
    });
  return refused({ code: "STAGING_FAILED", message: `git cannot take up a file: ${said}`, next: "mend what it names" });
}
