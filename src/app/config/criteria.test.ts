import { describe, expect, test } from "vitest";
import { criteriaIn, numbered } from "./criteria.ts";

const texts = (body: string): readonly string[] => criteriaIn(body).map(({ id, text }) => `${id} ${text}`);

describe("acceptance criteria in the text of a ticket", () => {
  test.each<[string, string, readonly string[]]>([
    ["none where there is no list", "Just do it.\n- a list of something else\n", []],
    [
      "the list below the heading",
      "Intro\n## Acceptance criteria\n- [ ] one\n- [x] two\n\n## Notes\n- [ ] not this\n",
      ["AC-001 one", "AC-002 two"],
    ],
    [
      "the heading at any level and in any case",
      "#### ACCEPTANCE CRITERIA:\n* one\n1. two\n",
      ["AC-001 one", "AC-002 two"],
    ],
    [
      "headings below it belong to it",
      "# Acceptance criteria\n### Search\n- one\n### Export\n- two\n# Other\n- no\n",
      ["AC-001 one", "AC-002 two"],
    ],
    [
      "a check list anywhere, where there is no heading",
      "Text\n- [ ] one\n- a plain item\n- [X] two\n",
      ["AC-001 one", "AC-002 two"],
    ],
    [
      "lines that go on",
      "## Acceptance criteria\n- one that\n  goes on\n- two\n",
      ["AC-001 one that goes on", "AC-002 two"],
    ],
    ["nothing from a code block", "```\n- [ ] no\n```\n- [ ] yes\n", ["AC-001 yes"]],
    [
      "ids that are written there",
      "## Acceptance criteria\n- AC-007: seven\n- next\n- **AC-X** – bold\n",
      ["AC-007 seven", "AC-001 next", "AC-X bold"],
    ],
    ["Windows line ends", "## Acceptance criteria\r\n- one\r\n- two\r\n", ["AC-001 one", "AC-002 two"]],
  ])("%s", (_, body, wanted) => {
    expect(texts(body)).toEqual(wanted);
  });

  test("numbers pass over ids that are taken", () => {
    expect(
      numbered([
        { id: null, text: "a" },
        { id: "AC-002", text: "b" },
        { id: null, text: "c" },
      ]).map(({ id }) => id),
    ).toEqual(["AC-001", "AC-002", "AC-003"]);
  });
});
