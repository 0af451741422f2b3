/** Which issue a word means; null: it is a file. */
export interface IssueName {
  readonly repo: string;
  readonly number: number;
}

/** `gh:OWNER/NAME#12`, or the address of an issue at GitHub. */
export function issueNamed(word: string): IssueName | null {
  const found =
    /^gh:([\w.-]+\/[\w.-]+)#(\d+)$/.exec(word) ?? /^https:\/\/[^/]+\/([\w.-]+\/[\w.-]+)\/issues\/(\d+)\/?$/.exec(word);
  return found ? { repo: found[1]!, number: Number(found[2]) } : null;
}

/** The id that an issue has as a task. */
export const idOfIssue = ({ number }: IssueName): string => `gh-${number}`;
