import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { scratch } from "../scratch.ts";

test("the server runs as a program of its own, with its script in a file and its log in another", async () => {
  const folder = scratch();
  const [script, log] = [join(folder, "script.mjs"), join(folder, "log.jsonl")];
  writeFileSync(script, 'export default (asked) => ({ text: [asked.n, asked.turns.at(-1).text].join(": ") });\n');
  const main = join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main, "--script", script, "--log", log], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer sk-secret", "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello." }] }),
  });
  expect(await response.json()).toMatchObject({
    choices: [{ message: { content: "1: Hello." }, finish_reason: "stop" }],
  });
  const lines = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { n: 1, status: 0 },
    { n: 1, status: 200, path: "/v1/chat/completions" },
  ]);
  expect(readFileSync(log, "utf8")).not.toContain("sk-secret");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

const REFUSED: readonly (readonly [string, string, Record<string, unknown>, RegExp])[] = [
  [
    "a call without its result",
    "/v1/chat/completions",
    {
      messages: [
        { role: "user", content: "x" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
        },
      ],
    },
    /did not have response messages: a/,
  ],
  [
    "a name that no tool may have",
    "/v1/chat/completions",
    {
      messages: [{ role: "user", content: "x" }],
      tools: [{ type: "function", function: { name: "a b", description: "", parameters: { type: "object" } } }],
    },
    /match pattern/,
  ],
  [
    "roles that do not alternate",
    "/v1/messages",
    {
      max_tokens: 1,
      messages: [
        { role: "user", content: "x" },
        { role: "user", content: "y" },
      ],
    },
    /roles must alternate/,
  ],
  [
    "a result that nobody asked for",
    "/v1/messages",
    { max_tokens: 1, messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x" }] }] },
    /unexpected `tool_use_id`/,
  ],
  [
    "a thought that was changed",
    "/v1/messages",
    {
      max_tokens: 1,
      messages: [
        { role: "user", content: "x" },
        { role: "assistant", content: [{ type: "thinking", thinking: "a", signature: "b" }] },
      ],
    },
    /Invalid `signature`/,
  ],
  [
    "a schema that is none",
    "/v1/messages",
    {
      max_tokens: 1,
      messages: [{ role: "user", content: "x" }],
      tools: [{ name: "a", description: "", input_schema: { type: "strnig" } }],
    },
    /should be 'object'/,
  ],
  [
    "a result without a call",
    "/v1/responses",
    {
      store: false,
      input: [
        { role: "user", content: "x" },
        { type: "function_call_output", call_id: "a", output: "x" },
      ],
    },
    /No tool call found/,
  ],
];
test("what the providers refuse is refused, in their words", async () => {
  const { startModelServer } = await import("./server.ts");
  const server = await startModelServer(() => ({ text: "never" }));
  onTestFinished(() => server.close());
  for (const [what, path, body, words] of REFUSED) {
    const headers = { authorization: "Bearer k", "x-api-key": "k", "anthropic-version": "2023-06-01" };
    const response = await fetch(server.url + path, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "m", ...body }),
    });
    expect([what, response.status]).toEqual([what, 400]);
    expect(((await response.json()) as { error: { message: string } }).error.message, what).toMatch(words);
  }
});
