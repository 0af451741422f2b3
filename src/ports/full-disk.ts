/** What the system, and git, say where a disk has no room: told to a person, who is waited for. */
const CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
const SAID = /no space left on device|disk quota exceeded/i;

export const isNoRoom = (error: unknown): boolean =>
  error instanceof Error && CODES.has((error as NodeJS.ErrnoException).code);
export const saysNoRoom = (words: string): boolean => SAID.test(words);

export const diskIsFull = (folder: string): string => `the disk of ${folder} is full`;

/** The same with what to do. `why`: what was said, where it was. */
export const fullDisk = (folder: string, why?: string): string =>
  `${diskIsFull(folder)}: make room there${why === undefined ? "" : ` (${why})`}`;
