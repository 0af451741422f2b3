/** GitLab takes a merge request for a draft whose title begins so, in either case. */
const DRAFT = /^\s*(\[draft\]|\(draft\)|draft:|\[wip\]|wip:)\s*/i;
const PREFIX = "Draft: ";

/** of a title, in UTF-16 units, without what makes it a draft */
export const TITLE_MOST = 255 - PREFIX.length;

export const draftTitle = (title: string): string => `${PREFIX}${title}`;

/** The title without any of those beginnings, as many as there are: one that is left keeps it a draft. */
export function readyTitle(title: string): string {
  const rest = title.replace(DRAFT, "");
  return rest === title ? title : readyTitle(rest);
}
