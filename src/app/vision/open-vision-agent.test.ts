import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Asked } from "../../../test/support/model-server/script.ts";
import { startModelServer } from "../../../test/support/model-server/server.ts";
import { scratch } from "../../../test/support/scratch.ts";
import type { ScreenNode } from "../../ports/bridge.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";
import { pawlFile } from "../config/pawl-file.ts";
import { parseYaml } from "../config/spot.ts";
import { openVisionAgent } from "./open-vision-agent.ts";

const leaf: ScreenNode = {
  ...{ role: "button", text: "Buy", label: "", isClickable: true, isFocused: false, isEditable: false, children: [] },
  bounds: { left: 10, top: 10, right: 90, bottom: 60 },
};
const observation = {
  goal: "buy it",
  screenshot: {
    png: PNG.sync.write(new PNG({ width: 100, height: 200 })),
    width: 100,
    height: 200,
    takenAt: 0,
    isBlack: false,
  },
  accessibilityTree: leaf,
  notes: [],
  history: [],
};
const never = new AbortController().signal;

/** A server that says the same to all, what it was asked, and the models of a pawl.yaml that name it. */
async function serverSaying(text: string) {
  const asked: Asked[] = [];
  const server = await startModelServer(
    (request) => {
      asked.push(request);
      return { text };
    },
    { keys: null },
  );
  onTestFinished(() => server.close());
  const base = `provider: openai-compatible, base_url: "${server.url}/v1", model: m`;
  const yaml = `models:
  words: {${base}}
  glm: {${base}, dialect: autoglm}
  own: {${base}, dialect: pawl, coordinates: 0-1000}
`;
  const known = pawlFile(parseYaml({ file: "pawl.yaml", yaml })).models as Readonly<Record<string, ModelSpec>>;
  return { asked, known };
}

describe("the agent that a model's entry in pawl.yaml makes", () => {
  test("speaks the dialect that is declared, in the space that is declared", async () => {
    const { asked, known } = await serverSaying('There.\n{"action": "tap", "coordinate": [500, 250]}');
    const { agent } = openVisionAgent({ name: "own", known, env: {}, tools: [], marks: false });
    expect((await agent.predict(observation, never)).action).toEqual({ action: "tap", coordinate: [0.5, 0.25] });
    expect(asked[0]!.system).toMatch(/from 0 to 1000/);
    expect(agent.name).toBe("own (openai-compatible/m)");
  });

  test("without a name it is the first that declares how it sees", async () => {
    const { known } = await serverSaying('do(action="Back")');
    const { agent } = openVisionAgent({ known, env: {}, tools: [], marks: false });
    expect(agent.name).toBe("glm (openai-compatible/m)");
    expect((await agent.predict(observation, never)).action).toEqual({ action: "back" });
    const other = openVisionAgent({ known, env: { PAWL_MODEL: "own" }, tools: [], marks: false });
    expect(other.agent.name).toBe("own (openai-compatible/m)");
  });

  test("a project's own prompt comes before ours", async () => {
    const { asked, known } = await serverSaying('do(action="Back")');
    const folder = scratch();
    mkdirSync(join(folder, "prompts/device"), { recursive: true });
    writeFileSync(join(folder, "prompts/device/autoglm.md"), "Mine: {{space}}.\n");
    const { agent } = openVisionAgent({ name: "glm", known, env: {}, tools: [], marks: false, folders: [folder] });
    await agent.predict(observation, never);
    expect(asked[0]!.system).toMatch(/^Mine: each from 0 to 1000/);
  });

  test("with marks the model is shown numbers, drawn in a thread that ends with it", async () => {
    const { asked, known } = await serverSaying('{"action": "tap", "mark": 1}');
    const opened = openVisionAgent({ name: "own", known, env: {}, tools: [], marks: true });
    onTestFinished(() => opened.close());
    expect((await opened.agent.predict(observation, never)).action).toEqual({
      action: "tap",
      coordinate: [0.5, 0.175],
    });
    const turn = asked[0]!.turns.at(-1)!;
    const [picture] = turn.role === "user" ? (turn.pictures ?? []) : [];
    const { data } = PNG.sync.read(Buffer.from(picture!.bytes));
    expect([...data.subarray((10 * 100 + 50) * 4, (10 * 100 + 50) * 4 + 3)]).toEqual([214, 39, 40]);
  });

  test("a model that is not known is refused", () => {
    expect(() => openVisionAgent({ name: "nobody", known: {}, env: {}, tools: [], marks: false })).toThrow(
      expect.objectContaining({ code: "MODEL_NAME" }),
    );
    expect(() => openVisionAgent({ known: {}, env: {}, tools: [], marks: false })).toThrow(
      expect.objectContaining({ code: "MODEL_MISSING" }),
    );
  });
});
