/** A file of a tree; its name is UTF-8, parted by `/`, from the tree's root. */
export interface TreeFile {
  readonly path: string;
  /** of its content: equal where the content is, in every worktree of a repository */
  readonly hash: string;
}

/** What was read; `hash` is that of these very bytes, which may be newer than the list. */
export interface TreeContent {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/**
 * The files of a repository as they are: in a worktree, or in a commit.
 *
 * Contract: `list` gives every regular file that is not ignored, also one that is not committed, sorted by code unit;
 * links, submodules, and names that are no UTF-8 are left out. Where `changed` is given, the caller knows that only these
 * differ from the last list of this tree, which may be used again. `read` gives the content in the order asked, null for what
 * is not there any more, is no regular file, or is larger than `maxBytes`; nothing outside the tree is ever read. The
 * bytes belong to who asked.
 */
export interface CodeTree {
  list(changed?: readonly string[]): Promise<readonly TreeFile[]>;
  read(files: readonly TreeFile[], maxBytes: number): Promise<readonly (TreeContent | null)[]>;
}
