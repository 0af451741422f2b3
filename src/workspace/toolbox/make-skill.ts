import { join, posix } from "node:path";
import { z } from "zod";
import type { Files } from "../../ports/files.ts";
import type { Tool, ToolResult } from "../../ports/tool.ts";
import type { Hands } from "../hands/hands.ts";
import { skillFaults } from "../skills/skill-faults.ts";
import { skillText } from "../skills/skill-text.ts";
import { defineTool } from "./define.ts";
import { inside } from "./inside.ts";

const MOST_FILES = 20;
const MOST_CHARS = 100_000;
const MOST_BYTES = 2 ** 20;

export interface SkillsOf {
  readonly hands: Pick<Hands, "edit">;
  readonly files: Files;
  /** absolute: the checkout */
  readonly top: string;
  /** where skills are made, from the top */
  readonly folder: string;
}

const input = z.strictObject({
  name: z.string().min(1).max(200).describe("a-z, 0-9 and -; also the folder's name"),
  description: z.string().min(1).describe("what it is for, and when to read it"),
  body: z.string().min(1).max(30_000).describe("Markdown: how it is done"),
  sources: z
    .array(z.string().trim().min(1).max(2_000))
    .min(1)
    .max(50)
    .describe("addresses, or paths of this repository"),
  files: z
    .array(z.strictObject({ path: z.string().min(1), text: z.string().max(MOST_CHARS) }))
    .max(MOST_FILES)
    .optional()
    .describe("beside SKILL.md, like references/api.md"),
  overwrite: z.boolean().optional(),
});
type Input = z.infer<typeof input>;

interface Wanted {
  /** from the top */
  readonly path: string;
  readonly text: string;
}

/**
 * `skill.generator`: a skill as a folder with SKILL.md. What is not valid is not written; what was written is read again
 * and looked over. `data.valid` says how it stands, `data.faults` what is wrong.
 */
export const skillTool = (of: SkillsOf): Tool =>
  defineTool({
    name: "skill.generator",
    description: "Makes a skill: a folder with SKILL.md, checked. An existing one only with overwrite.",
    input,
    writes: true,
    run: async (args) => {
      const wanted = filesOf(args, of.folder);
      const faults = [...sourceFaults(args, of), ...pathFaults(args, of), ...faultsOf(args.name, wanted, of)];
      if (faults.length > 0) return invalid(args.name, faults, "nothing was written");
      if (wanted.every(({ path, text }) => textAt(of, path) === text)) return made(args.name, wanted, of);
      const main = wanted[0]!.path;
      if (!args.overwrite && of.files.stat(join(of.top, main)).kind !== "none")
        return {
          ok: false,
          text: `${main} is there already: nothing was written; see overwrite`,
          data: { valid: false },
        };
      return write(args, wanted, of);
    },
  });

function filesOf({ name, description, body, sources, files = [] }: Input, folder: string): readonly Wanted[] {
  const home = `${folder}/${name}`;
  return [
    { path: `${home}/SKILL.md`, text: skillText({ name, description, body }, sources) },
    ...files.map(({ path, text }) => ({ path: posix.join(home, path), text })),
  ];
}

async function write({ name, overwrite = false }: Input, wanted: readonly Wanted[], of: SkillsOf): Promise<ToolResult> {
  const differing = wanted.filter(({ path, text }) => textAt(of, path) !== text);
  const result = await of.hands.edit(
    differing.map(({ path, text }) => ({ op: "create" as const, path, text, ...(overwrite ? { overwrite } : {}) })),
  );
  if (result.ok) return made(name, wanted, of);
  const faults = result.errors.slice(0, 5).map(({ code, path, message }) => `${code} ${path}: ${message}`);
  return invalid(name, faults, "nothing was written");
}

/** As it stands on the disk now. */
function made(name: string, wanted: readonly Wanted[], of: SkillsOf): ToolResult {
  const changed = wanted.map(({ path }) => path);
  const there = changed.map((path) => ({ path, text: textAt(of, path) ?? "" }));
  const faults = faultsOf(name, there, of);
  if (faults.length > 0) return { ...invalid(name, faults, "it was written all the same"), changed };
  const text = `the skill ${name} is valid: ${changed.join(", ")}`;
  return { ok: true, text, data: { valid: true, faults, path: changed[0] }, changed };
}

const invalid = (name: string, faults: readonly string[], end: string): ToolResult => ({
  ok: false,
  text: `the skill ${name.slice(0, 80)} is not valid, ${end}:\n${faults.map((fault) => `- ${fault}`).join("\n")}`,
  data: { valid: false, faults },
});

function faultsOf(name: string, files: readonly Wanted[], of: SkillsOf): readonly string[] {
  const home = `${of.folder}/${name}`;
  const own = new Set(files.map(({ path }) => path));
  const has = (path: string) =>
    own.has(posix.join(home, path)) || of.files.stat(join(of.top, home, path)).kind === "file";
  return skillFaults({ folder: name, text: files[0]!.text, has });
}

/** A source is an address, or a file of this checkout that is there. */
const sourceFaults = ({ sources }: Input, of: SkillsOf): readonly string[] =>
  sources.flatMap((source) => {
    if (/^https?:\/\/\S+$/.test(source)) return [];
    const at = inside(of, source.replace(/:\d+(?:-\d+)?$/, ""));
    const isThere = !("refused" in at) && of.files.stat(at.absolute).kind !== "none";
    return isThere ? [] : [`source ${source.slice(0, 200)} is no address, and no file of this repository`];
  });

const pathFaults = ({ name, files = [] }: Input, { folder }: SkillsOf): readonly string[] =>
  files
    .map(({ path }) => path)
    .filter((path) => {
      const full = posix.join(`${folder}/${name}`, path);
      return path.includes("\\") || !full.startsWith(`${folder}/${name}/`) || full === `${folder}/${name}/SKILL.md`;
    })
    .map((path) => `file ${path.slice(0, 200)} does not lie beside SKILL.md`);

function textAt({ files, top }: SkillsOf, path: string): string | null {
  const found = files.read(join(top, path), MOST_BYTES);
  return found.kind === "file" ? new TextDecoder().decode(found.bytes) : null;
}
