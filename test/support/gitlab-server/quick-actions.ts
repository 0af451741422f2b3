import type { Issue, Request } from "./state.ts";

/**
 * GitLab obeys lines of a description or a note that begin with a slash and a word that it knows, outside of code: they
 * are done, and not shown. Two of them are enough here.
 */
export function obey(request: Request | Issue, text: string): string {
  const kept = text.split("\n").filter((line) => {
    const [, word] = /^\/(close|label)\b/i.exec(line) ?? [];
    if (word?.toLowerCase() === "close") request.state = "closed";
    if (word?.toLowerCase() === "label") request.labels.add(line.slice("/label ~".length).trim());
    return word === undefined;
  });
  return kept.join("\n");
}
