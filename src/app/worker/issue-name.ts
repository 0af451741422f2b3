import { ISSUE_PREFIX } from "../intake/issue-id.ts";

/** Which issue a word means; null: it is a file. */
export interface IssueName {
  readonly kind: "github" | "gitlab";
  readonly repo: string;
  readonly number: number;
}

/** `gh:OWNER/NAME#12`, `gl:GROUP/NAME#12`, or the address of an issue at GitHub or GitLab. */
export function issueNamed(word: string): IssueName | null {
  for (const [kind, forms] of FORMS)
    for (const form of forms) {
      const found = form.exec(word);
      if (found !== null) return { kind, repo: found[1]!, number: Number(found[2]) };
    }
  return null;
}

/** GitLab's addresses have a part of their own before what they show. */
const FORMS = [
  ["gitlab", [/^gl:([\w.-]+(?:\/[\w.-]+)+)#(\d+)$/, /^https:\/\/[^/]+\/([\w.-]+(?:\/[\w.-]+)+)\/-\/issues\/(\d+)\/?$/]],
  ["github", [/^gh:([\w.-]+\/[\w.-]+)#(\d+)$/, /^https:\/\/[^/]+\/([\w.-]+\/[\w.-]+)\/issues\/(\d+)\/?$/]],
] as const;

/** The id that an issue has as a task. */
export const idOfIssue = ({ kind, number }: Pick<IssueName, "kind" | "number">): string =>
  `${ISSUE_PREFIX[kind]}${number}`;
