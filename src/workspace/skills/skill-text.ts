import { parse, stringify } from "yaml";

/** SKILL.md, parted: what stands between the lines of `---`, and what comes after them. */
export interface SkillText {
  readonly name: string;
  /** what it is for and when it is to be read, one line */
  readonly description: string;
  readonly body: string;
}

const PARTED = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/;

/** Reads SKILL.md; a text where it is none, which says why. */
export function readSkill(text: string): SkillText | string {
  const parts = PARTED.exec(text);
  if (!parts) return "it does not begin with front matter between two lines of ---";
  let front: unknown;
  try {
    front = parse(parts[1]!, { maxAliasCount: 0 });
  } catch (error) {
    return `its front matter is no YAML: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`;
  }
  if (typeof front !== "object" || front === null || Array.isArray(front)) return "its front matter is no mapping";
  const { name, description } = front as Record<string, unknown>;
  if (typeof name !== "string") return "its front matter has no name";
  if (typeof description !== "string") return "its front matter has no description";
  return { name, description: description.trim(), body: parts[2]! };
}

/** SKILL.md of these parts, with its sources in a list at the end. */
export function skillText({ name, description, body }: SkillText, sources: readonly string[]): string {
  const front = stringify({ name, description: description.replace(/\s+/g, " ").trim() }, { lineWidth: 0 });
  const end = sources.length === 0 ? "" : `\n## Sources\n\n${sources.map((one) => `- ${asLink(one)}`).join("\n")}\n`;
  return `---\n${front}---\n\n${body.trim()}\n${end}`;
}

const asLink = (source: string): string =>
  /^https?:\/\//.test(source) ? `<${source.trim()}>` : `\`${source.trim()}\``;
