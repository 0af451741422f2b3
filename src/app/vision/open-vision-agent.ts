import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createModel } from "../../adapters/models/create.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { createVisionAgent, promptName } from "../../adapters/vision/create.ts";
import { markDrawer } from "../../adapters/vision/overlay/mark-drawer.ts";
import type { ToolSpec } from "../../ports/model.ts";
import type { Eyes, ModelSpec } from "../../ports/model-spec.ts";
import type { VisionAgent } from "../../ports/vision-agent.ts";
import { packageRoot } from "../config/package-root.ts";
import { specNamed } from "../worker/models.ts";

export interface EyesWanted {
  /** a name below `models:`, or PROVIDER/MODEL; left out: PAWL_MODEL, else the first that declares eyes, else the first */
  readonly name?: string | undefined;
  readonly known: Readonly<Record<string, ModelSpec>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** tools beside the screen, as models are told of them */
  readonly tools: readonly ToolSpec[];
  /** numbers are drawn on what can be touched, where an observation has a tree */
  readonly marks: boolean;
  /** absolute folders whose `prompts/device/` comes before ours, first found first */
  readonly folders?: readonly string[];
}

export interface OpenVisionAgent {
  readonly agent: VisionAgent;
  /** ends the thread that draws; can be called twice */
  close(): Promise<void>;
}

/** Shares of the picture, by tool calls where a model takes them: what nothing is declared of. */
const USUAL: Eyes = { dialect: null, coordinates: "0-1" };

/** The model that looks at a screen. Nobody is asked yet. Throws MODEL_MISSING, MODEL_NAME. */
export function openVisionAgent({ name, known, env, tools, marks, folders = [] }: EyesWanted): OpenVisionAgent {
  const spec = specNamed(name ?? env.PAWL_MODEL ?? firstOf(known), known);
  const eyes = spec.eyes ?? USUAL;
  const model = createModel(spec, { clock: systemClock(), env });
  const drawer = marks ? markDrawer(join(packageRoot(), "dist", "overlay-worker.mjs")) : null;
  const prompt = promptText(promptName(eyes, model), folders);
  return {
    agent: createVisionAgent({ model, eyes, prompt, tools, drawMarks: drawer === null ? null : drawer.draw }),
    close: async () => drawer?.close(),
  };
}

const firstOf = (known: EyesWanted["known"]): string | undefined =>
  Object.keys(known).find((name) => known[name]!.eyes !== undefined) ?? Object.keys(known)[0];

function promptText(name: string, folders: readonly string[]): string {
  const paths = [...folders, packageRoot()].map((folder) => join(folder, "prompts", "device", `${name}.md`));
  return readFileSync(paths.find((path) => existsSync(path)) ?? paths.at(-1)!, "utf8");
}
