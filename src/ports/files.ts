/** What is found at a path; a symbolic link is never followed. */
export type Found =
  | {
      readonly kind: "file";
      readonly bytes: Uint8Array;
      /** the permission bits, 0 to 0o777 */
      readonly mode: number;
      /** names that the file has: more than 1 is a hard link */
      readonly links: number;
      readonly uid: number;
      readonly gid: number;
    }
  | { readonly kind: "none" | "folder" | "link" | "other" }
  | { readonly kind: "too-big"; readonly size: number };

/** What lies at a path, without its bytes. */
export interface Stat {
  readonly kind: "file" | "folder" | "link" | "other" | "none";
  /** the permission bits, 0 to 0o777; 0 where nothing is there */
  readonly mode: number;
  /** when it was last changed, bits and names too, by the clock of the disk, in ms; 0 where nothing is there */
  readonly changedMs: number;
}

/** Where a path leads: the real path of its deepest part that exists, and the names below it that do not. */
export interface Resolved {
  readonly real: string;
  readonly missing: readonly string[];
  /** what `real` is */
  readonly kind: "folder" | "other";
  /** the first of `missing` is a symbolic link that leads nowhere, or in a circle */
  readonly isDangling: boolean;
}

/** How a new file is made. */
export interface Making {
  readonly bytes: Uint8Array;
  /** exact permission bits; null: those of a new file (0644, or 0755, less the umask) */
  readonly mode: number | null;
  readonly isExecutable: boolean;
  /** who is to own it, where this process may say so; null: this process */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
}

/**
 * The files that are edited.
 *
 * Contract: paths are absolute. The calls are synchronous, because an edit is short and nothing else of the process
 * should see it half done; only `flush`, which waits for the disk, is not. What cannot be done throws an error whose
 * `code` is the system's word (EACCES, ENOSPC, EROFS …). `make` fails with EEXIST where anything is at the path, a
 * dangling link too, follows no link at its end, and leaves nothing behind where it fails; until it has its bytes
 * and bits nobody but the owner can read it. `rename` replaces a file at its target in one step. `unlink`, `rename` and
 * `rmdir` never follow a link. What was done is durable when `flush` of the file, and of the folder that names it, has
 * resolved.
 */
export interface Files {
  /** at most `maxBytes`; without a terminal, a pipe or a device being waited for */
  read(path: string, maxBytes: number): Found;
  /** the same without its bytes, and cheap: asked of every file of a checkout */
  stat(path: string): Stat;
  resolve(path: string): Resolved;
  /** names in a folder, unsorted; none where it is not there */
  list(path: string): readonly string[];
  make(path: string, making: Making): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** the permission bits of a regular file; a link at its end is not followed (ELOOP) */
  chmod(path: string, mode: number): void;
  /** one folder; its parent is there. EEXIST where it is there already */
  mkdir(path: string): void;
  /** an empty folder */
  rmdir(path: string): void;
  /** waits until these files and folders are on the disk */
  flush(paths: readonly string[]): Promise<void>;
}

/** A lock that is held: the kernel frees it when this process dies. */
export interface FileLock {
  /** false: the file was taken away, and somebody else may have locked another one in its place */
  isHeld(): boolean;
  release(): void;
}

/**
 * Takes the lock that stands for a path, in a file made there; its folder is there.
 *
 * Contract: at most one of all processes, and of all takers in one process, has it. Never waits: null, where it is
 * taken. No lock outlives its process, and no look at a pid decides who has it.
 */
export type TakeLock = (path: string) => Promise<FileLock | null>;
