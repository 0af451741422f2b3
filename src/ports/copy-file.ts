/**
 * Copies a file that says when others were looked at, such as git's index.
 *
 * Contract: the copy is whole, or not there, and its time is that of the original or a little before, never after; what
 * is at `to` already is replaced. False where there is nothing to copy; what else goes wrong throws the system's error.
 */
export type CopyFile = (from: string, to: string) => boolean;
