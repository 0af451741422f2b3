import { join } from "node:path";
import type { Files } from "../../ports/files.ts";
import { readSkill } from "./skill-text.ts";

/** A skill that is there to be read. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** of its SKILL.md, from the top of the checkout */
  readonly path: string;
}

const MOST_SKILLS = 50;
const MOST_BYTES = 2 ** 20;

/** The skills in these folders (from the top), each name once: the first folder's counts. What cannot be read is left out. */
export function listSkills(
  { files, top }: { readonly files: Files; readonly top: string },
  folders: readonly string[],
): readonly Skill[] {
  const found = new Map<string, Skill>();
  for (const folder of folders)
    for (const name of [...files.list(join(top, folder))].sort()) {
      const path = `${folder}/${name}/SKILL.md`;
      const read = files.read(join(top, path), MOST_BYTES);
      const skill = read.kind === "file" ? readSkill(new TextDecoder().decode(read.bytes)) : "";
      if (typeof skill !== "string" && skill.name === name && !found.has(name))
        found.set(name, { name, description: skill.description.replace(/\s+/g, " ").slice(0, 200), path });
    }
  return [...found.values()].slice(0, MOST_SKILLS);
}
