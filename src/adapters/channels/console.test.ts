import { expect, it } from "vitest";
import { channelContract, notice } from "../../../test/contracts/channel.contract.ts";
import { consoleChannel } from "./console.ts";

channelContract("console", () => {
  const lines: string[] = [];
  let broken = false;
  const channel = consoleChannel((line) => {
    if (broken) throw new Error("write EPIPE");
    lines.push(line);
  });
  return {
    channel,
    told: () => lines,
    breakIt: () => {
      broken = true;
    },
  };
});

it("a notice is one line, whatever its text holds", async () => {
  const lines: string[] = [];
  const at = new Date(2026, 10, 28, 9, 5, 7).getTime();
  const channel = consoleChannel(
    (line) => lines.push(line),
    () => at,
  );
  const permit = { epoch: 1, signal: new AbortController().signal };
  await channel.notify(
    notice("\u001b[31mred\u001b[0m\r\n\u001b]0;title\u0007next\u0000 \u202egnp.exe\u2028end"),
    permit,
  );
  expect(lines).toEqual(["09:05:07 task-1 waiting red next gnp.exe end"]);
});
