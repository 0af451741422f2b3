import { expect, test } from "vitest";
import { channelOf } from "./channels.ts";
import { pawlFile } from "./config/pawl-file.ts";
import { parseYaml } from "./config/spot.ts";

function read(yaml: string) {
  const root = parseYaml({ file: "pawl.yaml", yaml });
  const { channels } = pawlFile(root);
  return { channels, faults: root.text.faults.map(({ code, at }) => `${code}:${at.line}:${at.column}`) };
}

test("a channel is the console, or a webhook whose address and secret are in variables", () => {
  const yaml =
    "channels: [console, {webhook: {url_env: HOOK, secret_env: KEY, events: [waiting, failed]}}, {webhook: {url_env: H}}]";
  expect(read(yaml)).toEqual({
    channels: [
      { kind: "console" },
      { kind: "webhook", urlEnv: "HOOK", secretEnv: "KEY", events: ["waiting", "failed"] },
      { kind: "webhook", urlEnv: "H", secretEnv: null, events: null },
    ],
    faults: [],
  });
});

test.each([
  ["channels: [pigeon]", "TYPE_BAD:1:12"],
  ["channels: [{webhook: {}}]", "KEY_MISSING:1:13"],
  ["channels: [{webhook: {url: https://x}}]", "KEY_UNKNOWN:1:23"],
  ["channels: [{webhook: {url_env: A, events: [later]}}]", "TYPE_BAD:1:44"],
])("%s has a fault", (yaml, fault) => {
  expect(read(yaml).faults).toContain(fault);
});

test.each([
  [{}, "CREDENTIAL_MISSING", "HOOK"],
  [{ HOOK: "http://example.org/secret" }, "WEBHOOK_ADDRESS", "HOOK"],
  [{ HOOK: "secret" }, "WEBHOOK_ADDRESS", "HOOK"],
  [{ HOOK: "https://example.org/secret" }, "CREDENTIAL_MISSING", "KEY"],
])("with %j nothing is started, and no message holds what is in a variable", (env, code, name) => {
  const { channels } = read("channels: [{webhook: {url_env: HOOK, secret_env: KEY}}]");
  const make = () => channelOf({ channels: channels! }, { say: () => {} }, env);
  expect(make).toThrow(expect.objectContaining({ code }));
  expect(make).toThrow(expect.objectContaining({ message: expect.stringContaining(name) }));
  expect(make).not.toThrow(expect.objectContaining({ message: expect.stringContaining("secret") }));
});
