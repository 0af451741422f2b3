/**
 * What an agent takes otherwise than the protocol has it. missing-as-empty: it cannot read the error of a file that is not
 * there, and makes new files only where they seem to be empty ones.
 */
export const QUIRKS = ["missing-as-empty"] as const;
export type Quirk = (typeof QUIRKS)[number];
