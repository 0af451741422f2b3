/**
 * GitLab obeys lines like `/merge` or `/approve` in what it is given to show, with the rights of the token. What Pawl
 * writes there comes from tickets and agents: such a line is shown, not obeyed. Markdown shows `\/` as `/`, but in code.
 */
export const withoutQuickActions = (text: string): string => text.replace(/^(\s*)\/(?=[a-z])/gim, "$1\\/");
