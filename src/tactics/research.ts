import type { Files } from "../ports/files.ts";
import type { Assignment } from "../protocol/assignment.ts";
import type { Hands } from "../workspace/hands/hands.ts";
import { listSkills } from "../workspace/skills/list-skills.ts";
import { authorized } from "./authorized.ts";
import type { Research } from "./record.ts";

const MOST_FILES = 12;
const MOST_TEXT = 12_000;

/** Reads what a plan needs, without a model: ticket, specification, the files that matter and why, instructions to agents. */
export async function researchOf(
  assignment: Assignment,
  {
    hands,
    files,
    skills = [],
  }: { readonly hands: Pick<Hands, "rank" | "on">; readonly files: Files; readonly skills?: readonly string[] },
): Promise<Research> {
  const may = authorized(assignment);
  const { title, body, specification } = assignment;
  const criteria = assignment.acceptance_criteria.map(({ text }) => text);
  const ranked = await hands.rank([title, body, ...criteria].join("\n"), MOST_FILES * 3);
  const read = (path: string) => textAt(files, `${hands.on.top}/${path}`);
  return {
    // what may be changed first; the rest is to be read
    files: [...ranked.filter(({ path }) => may(path)), ...ranked.filter(({ path }) => !may(path))]
      .slice(0, MOST_FILES)
      .map(({ path, reasons }) => ({
        path,
        why: `${reasons[0] ?? "words of the ticket"}${may(path) ? "" : "; read only"}`,
      })),
    specification: specification ? read(specification) : null,
    conflicts: conflictsOf(assignment, files, hands.on.top),
    instructions: read("AGENTS.md"),
    skills: listSkills({ files, top: hands.on.top }, skills),
  };
}

/** What can be seen to disagree without understanding it. */
function conflictsOf({ test_delta, specification }: Assignment, files: Files, top: string): readonly string[] {
  const isThere = (path: string) => files.read(`${top}/${path}`, MOST_TEXT).kind !== "none";
  return [
    ...test_delta.update
      .filter((path) => !isThere(path))
      .map((path) => `test_delta.update names ${path}, which does not exist`),
    ...test_delta.add
      .filter((path) => test_delta.update.includes(path))
      .map((path) => `test_delta names ${path} both to be added and to be updated`),
    ...(specification && !isThere(specification) ? [`specification names ${specification}, which does not exist`] : []),
  ];
}

function textAt(files: Files, path: string): string | null {
  const found = files.read(path, 2 ** 20);
  if (found.kind !== "file") return null;
  const text = new TextDecoder().decode(found.bytes);
  return text.length <= MOST_TEXT
    ? text
    : `${text.slice(0, MOST_TEXT)}\n[cut: ${text.length - MOST_TEXT} characters left out]`;
}
