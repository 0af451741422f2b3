import type { AwayKind } from "./forge-key.ts";

/** Why a query cannot be one; null: it may be one, as far as that can be told here. */
export function queryFault(kind: AwayKind, query: string): { readonly why: string; readonly next: string } | null {
  return kind === "github" ? searchFault(query) : filterFault(query);
}

/** Whether it asks for something that only people of the project give to an issue, or for somebody by name. */
export function isGate(kind: AwayKind, query: string): boolean {
  if (kind === "github") return /(?:^|[\s(])(?:label|author|assignee|milestone|project):\S/i.test(query);
  return [...new URLSearchParams(query)].some(
    ([name, value]) => GATES.has(name) && !/^(none|any)$/i.test(value.trim()),
  );
}

/** What Pawl asks for itself: one repository, its open issues, oldest first. */
const OWN = /(?:^|[\s(-])(repo|org|user|is|state|type|sort|archived):/i;

function searchFault(query: string) {
  const own = OWN.exec(query)?.[1];
  if (own !== undefined)
    return {
      why: `"${own}:" of a query is Pawl's: open issues of this repository, the oldest first`,
      next: `take ${own}: out, as in query: "label:pawl milestone:v2 -label:later".`,
    };
  // "AND", "OR" and "NOT" are counted, and so are the words
  const tooLong = query.length > 256;
  return tooLong ? { why: "GitHub takes no query of more than 256 characters", next: "shorten it." } : null;
}

const GATES: ReadonlySet<string> = new Set([
  ...["labels", "milestone", "milestone_id", "assignee_id", "assignee_username", "assignee_username[]"],
  ...["author_id", "author_username", "iteration_id", "iteration_title", "epic_id", "weight"],
]);

/** docs.gitlab.com, "List project issues". */
const FILTERS: ReadonlySet<string> = new Set([
  ...GATES,
  ...["confidential", "created_after", "created_before", "due_date", "health_status", "iids[]", "in", "issue_type"],
  ...["my_reaction_emoji", "scope", "search", "updated_after", "updated_before"],
]);

function filterFault(query: string) {
  const odd = [...new URLSearchParams(query)].find(
    ([name, value]) => value === "" || !(FILTERS.has(name) || /^not\[[a-z_]+\](\[\])?$/.test(name)),
  );
  if (odd === undefined) return null;
  return {
    why: `"${odd[0]}" is no filter of a query`,
    next: `write it like query: "labels=pawl&milestone=v2&not[labels]=later"; known: ${[...FILTERS].join(", ")}.`,
  };
}
