// The yardstick: the least that an agent can be. One question, one command, until there is nothing to run.
import { spawnSync } from "node:child_process";

const [url, ticket] = process.argv.slice(2);
const tools = [
  {
    type: "function",
    function: {
      name: "shell",
      description: "Runs a command.",
      parameters: { type: "object", properties: { cmd: { type: "string" } }, required: ["cmd"] },
    },
  },
];
const messages = [
  { role: "system", content: "You are an agent. Call shell until the ticket is done." },
  { role: "user", content: ticket },
];
for (;;) {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer none" },
    body: JSON.stringify({ model: "scripted", messages, tools }),
  });
  const { message } = (await response.json()).choices[0];
  messages.push(message);
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) break;
  for (const call of calls) {
    const { cmd } = JSON.parse(call.function.arguments);
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", cmd], { encoding: "utf8" });
    messages.push({ role: "tool", tool_call_id: call.id, content: `exit ${status}\n${stdout}${stderr}` });
  }
}
