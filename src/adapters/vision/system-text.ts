import type { ToolSpec } from "../../ports/model.ts";
import type { CoordinateSpace } from "../../ports/model-spec.ts";

const SPACES: Readonly<Record<CoordinateSpace, string>> = {
  "0-1": "each a share from 0 to 1 of the picture's width and height, from its top left corner, like [0.5, 0.25]",
  "0-1000": "each from 0 to 1000 over the picture's width and height, from its top left corner, like [500, 250]",
  pixel: "in pixels of the picture, from its top left corner",
  "pixel-28": "in pixels of the picture, from its top left corner",
};

/** A prompt with what is known of the model, and with the tools beside the screen, put into its places. */
export function systemText(
  prompt: string,
  of: { readonly space: CoordinateSpace; readonly tools: readonly ToolSpec[]; readonly marks: boolean },
): string {
  const marks = of.marks
    ? 'Where a number is drawn on an element, "mark": NUMBER can stand instead of "coordinate".'
    : "";
  return prompt
    .trim()
    .replaceAll("{{space}}", SPACES[of.space])
    .replaceAll("{{marks}}", marks)
    .replaceAll("{{tools}}", toolsText(of.tools))
    .replace(/\n{3,}/g, "\n\n");
}

const toolsText = (tools: readonly ToolSpec[]): string =>
  tools.length === 0
    ? ""
    : `Tools beside the screen:\n${tools.map(({ name, description, input }) => `- ${name}: ${description} ${JSON.stringify(input)}`).join("\n")}`;
