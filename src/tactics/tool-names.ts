/** `file.edit` as a model sees it: providers take no dots in names. */
export const modelName = (tool: string): string => tool.replaceAll(".", "_");

/** A tool as the specification calls it, by what a model wrote: `file_edit`, or `file.edit`; null: there is none such. */
export function toolNamed(name: string, tools: Iterable<string>): string | null {
  for (const tool of tools) if (tool === name || modelName(tool) === name) return tool;
  return null;
}
