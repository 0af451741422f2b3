import { describe, expect, it } from "vitest";
import { repository } from "../../../test/support/scratch.ts";
import { lookAtWebhooks } from "../cli/doctor-webhooks.ts";
import { readConfiguration } from "./reading.ts";

async function read(webhooks: string) {
  const { repo } = repository({ "pawl.yaml": `agents: {default: {command: "true"}}\nwebhooks: ${webhooks}\n` });
  const { reading, file } = await readConfiguration({ repo, overrides: {} });
  return { faults: reading.errors.map(({ code, message, next }) => `${code} ${message}; ${next}`), file };
}

describe("webhooks: of pawl.yaml", () => {
  it.each([
    ["{listen: 127.0.0.1:8787, github_secret_env: HUB}", { host: "127.0.0.1", port: 8787 }],
    ['{listen: "[::1]:1", gitlab_secret_env: LAB}', { host: "::1", port: 1 }],
    ["{listen: localhost:0, gitlab_secret_env: LAB}", { host: "localhost", port: 0 }],
  ])("%s can be listened at", async (yaml, expected) => {
    expect(await read(yaml)).toMatchObject({ faults: [], file: { webhooks: expected } });
  });

  it.each([
    ["{listen: 8787, github_secret_env: HUB}", '"8787" is no address to listen at; write it like 127.0.0.1:8787.'],
    ["{listen: 127.0.0.1:70000, github_secret_env: HUB}", '"127.0.0.1:70000" is no address'],
    ["{listen: 127.0.0.1:8787}", "webhooks needs github_secret_env or gitlab_secret_env; write {listen"],
    ["{github_secret_env: HUB}", "webhooks needs listen; write"],
    [
      "{listen: 127.0.0.1:8787, github_secret: HUB, gitlab_secret_env: LAB}",
      '"github_secret" is not a key of webhooks',
    ],
    [
      "{listen: 127.0.0.1:8787, github_secret_env: a secret}",
      '"a secret" cannot be the name of an environment variable',
    ],
  ])("%s is told with what to write", async (yaml, words) => {
    expect((await read(yaml)).faults.join("\n")).toContain(words);
  });

  it("doctor says where they come in, which secret is missing, and that others can listen in", async () => {
    const { file } = await read("{listen: 0.0.0.0:8787, github_secret_env: HUB, gitlab_secret_env: LAB}");
    expect(lookAtWebhooks(file, { HUB: "x" })).toMatchObject([
      { state: "no", text: expect.stringContaining("0.0.0.0:8787/gitlab, with the secret of LAB: LAB is empty") },
    ]);
    expect(lookAtWebhooks(file, { HUB: "x", LAB: "y" })).toMatchObject([{ state: "note", text: expect.any(String) }]);
    const here = { ...file, webhooks: { ...file.webhooks!, host: "127.0.0.1" } };
    expect(lookAtWebhooks(here, { HUB: "x", LAB: "y" })).toMatchObject([{ state: "ok" }]);
  });
});
