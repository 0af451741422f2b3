import { expect, it } from "vitest";
import { acpHouse } from "../support/acp-agent/acp-house.ts";

it("an agent that knows nothing of us ends with the verdict of what it did: files through us, committed, checked", async () => {
  const { acp, through } = await acpHouse();
  const end = await through(
    acp(
      [
        {
          do: "plan",
          entries: [
            ["look", "completed"],
            ["change a", "in_progress"],
          ],
        },
        { do: "tool", title: "Write src/b.txt", kind: "edit" },
        { do: "write", path: "src/b.txt", text: "b\n" },
        { do: "tool", title: "Write src/b.txt", kind: "edit", status: "completed" },
        { do: "say", text: "All is done." },
      ],
      { brief: { checks: [{ run: "test -f src/b.txt", timeoutMs: 10_000, when: [] }] } },
    ),
  );
  expect(end).toMatchObject({ how: "verdict", verdict: "PASS", change: { commits: 1 } });
});
