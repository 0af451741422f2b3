/** What the ids of tasks begin with that were issues, unless pawl.yaml says otherwise. */
export const ISSUE_PREFIX = { github: "gh-", gitlab: "gl-" } as const;
