/** Why an answer is no action; it never leaves the parser. */
export class Unreadable extends Error {}
