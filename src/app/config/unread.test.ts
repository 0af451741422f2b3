import { expect, it } from "vitest";
import { repository } from "../../../test/support/scratch.ts";
import { readConfiguration } from "./reading.ts";

it("a task file with a fault is known to be there, by its id, and whether that is certain", async () => {
  const { repo } = repository({
    "pawl.yaml": "agents: {default: {command: ./fix.sh}}\n",
    "tasks/good.md": "---\ntitle: Good\n---\nDo it.\n",
    "tasks/bad-key.md": "---\ntitle: [1, 2]\n---\nDo it.\n",
    "tasks/other-name.md": "---\nid: its-own\ntitle: x\nbase: nowhere\n---\nDo it.\n",
    "tasks/no-yaml.md": "---\ntitle: [\n---\nDo it.\n",
    "tasks/bad-id.md": "---\nid: [x]\ntitle: x\n---\nDo it.\n",
    "tasks/no-matter.md": "Do it.\n",
  });
  const { reading } = await readConfiguration({ repo, overrides: {} });
  expect(reading.settings).not.toBe(null);
  expect(reading.specs.map(({ id }) => id)).toEqual(["good"]);
  const unread = Object.fromEntries(reading.unread.map(({ id, isSure }) => [id, isSure]));
  expect(unread).toEqual({
    "bad-key": true,
    "its-own": true,
    "no-yaml": false,
    "bad-id": false,
    "no-matter": false,
  });
});
