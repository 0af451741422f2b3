/** On a public repository anybody can review; these are who belongs to it. */
export const MEMBERS: ReadonlySet<unknown> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);
