/** `file.edit` as a model sees it: providers take no dots in names. */
export const modelName = (tool: string): string => tool.replaceAll(".", "_");

/** A tool as the specification calls it, by what a model wrote: `file_edit`, or `file.edit`; null: there is none such. */
export function toolNamed(name: string, tools: Iterable<string>): string | null {
  for (const tool of tools) if (tool === name || modelName(tool) === name) return tool;
  return null;
}

/** Every tool that Pawl has by itself; which of them a worker is given depends on how it is set up. */
export const OWN_TOOLS: readonly string[] = [
  "file.read",
  "file.search",
  "file.edit",
  "file.write",
  "repo.map",
  "shell",
  "test.run",
  "plan.submit",
  "plan.read",
  "plan.update",
  "report.submit",
  "memory.search",
  "memory.save",
  "internet.research",
  "skill.generator",
];
