/** A text as one cell of a table. */
export const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");

/** A list, or a dash where there is nothing. */
export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n") || "–";
