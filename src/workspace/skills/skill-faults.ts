import { posix } from "node:path";
import { readSkill } from "./skill-text.ts";

/** A skill as it is, or is to be. */
export interface SkillFolder {
  /** the folder's own name */
  readonly folder: string;
  /** SKILL.md */
  readonly text: string;
  /** whether a file is there, by its path from the skill's folder */
  readonly has: (path: string) => boolean;
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MOST_NAME = 64;
const MOST_DESCRIPTION = 1_024;
const MOST_LINES = 500;
const MOST_CHARS = 24_000;

/** What is wrong with a skill, in the words of its format (agentskills.io) and of ours (sources are named); none: valid. */
export function skillFaults({ folder, text, has }: SkillFolder): readonly string[] {
  const skill = readSkill(text);
  if (typeof skill === "string") return [`SKILL.md: ${skill}`];
  const { name, description, body } = skill;
  const lines = text.split("\n").length;
  return [
    ...(NAME.test(name) && name.length <= MOST_NAME
      ? []
      : [`name "${name.slice(0, 80)}" has to be 1 to ${MOST_NAME} of a-z and 0-9, with single - between them`]),
    ...(name === folder ? [] : [`name "${name.slice(0, 80)}" is not the folder's, which is "${folder}"`]),
    ...(description === "" ? ["description is empty"] : []),
    ...tooLong("description", description.length, MOST_DESCRIPTION, "characters"),
    ...(withoutSources(body).trim() === "" ? ["nothing stands below the front matter"] : []),
    ...tooLong("SKILL.md", lines, MOST_LINES, "lines (move details into files beside it)"),
    ...tooLong("SKILL.md", text.length, MOST_CHARS, "characters (move details into files beside it)"),
    ...linkFaults(body, has),
    ...(sourcesIn(body).length === 0 ? ["no sources are named: a list below the heading Sources"] : []),
  ];
}

const tooLong = (what: string, is: number, most: number, unit: string): readonly string[] =>
  is > most ? [`${what} has ${is} ${unit}, and may have ${most}`] : [];

const SOURCES = /^#{1,6}[ \t]+Sources[ \t]*$/im;
const withoutSources = (body: string): string => body.slice(0, SOURCES.exec(body)?.index ?? body.length);

/** What the list below "Sources" names. */
export function sourcesIn(body: string): readonly string[] {
  const at = SOURCES.exec(body);
  if (!at) return [];
  const below = body.slice(at.index + at[0].length).split(/^#{1,6}[ \t]/m)[0]!;
  return [...below.matchAll(/^[ \t]*[-*+][ \t]+(\S.*)$/gm)].map((found) => found[1]!.trim());
}

/** Links to files, which have to lie in the skill's folder; code is no link. */
function linkFaults(body: string, has: (path: string) => boolean): readonly string[] {
  const prose = body.replace(/^(```|~~~)[\s\S]*?^\1[^\n]*$/gm, "").replace(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map((found) => found[1]!);
  return [...new Set(targets)].flatMap((target) => {
    if (/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(target)) return [];
    const path = posix.normalize(decoded(target.replace(/[#?].*$/, "")));
    if (path.startsWith("..") || path.startsWith("/")) return [`link ${target} leads out of the skill's folder`];
    return has(path) ? [] : [`link ${target} leads to no file of the skill`];
  });
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
