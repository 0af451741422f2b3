import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { lockPhone } from "../../src/app/device/phone-lock.ts";
import { type Android, startAndroid } from "../support/android/android.ts";
import { bundle } from "../support/bundle.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { suiteNeeding } from "../support/needs.ts";
import { repository, scratch } from "../support/scratch.ts";
import { adbHere } from "./support/adb-here.ts";

const PHONE = { serial: "emulator-5554", host: "127.0.0.1", port: 5037 };
const signal = new AbortController().signal;
const take = (state: string, phone = PHONE) =>
  lockPhone(phone, { by: "this test", env: { XDG_STATE_HOME: state }, signal });
const taken = expect.objectContaining({ code: "SCREEN_TAKEN" });

test("a phone is one run's at a time, by its serial and its server; another one is free", async () => {
  const state = scratch();
  const free = await take(state);
  await expect(take(state)).rejects.toMatchObject({
    message: expect.stringMatching(
      new RegExp(`^adb:emulator-5554 is in use: this test \\(pid ${process.pid}\\) works on it since 20..-.*:..Z$`),
    ),
    data: { by: "this test", pid: process.pid },
    retryable: true,
  });
  await expect(take(state, { ...PHONE, host: "localhost" })).rejects.toEqual(taken);
  (await take(state, { ...PHONE, serial: "emulator-5556" }))();
  (await take(state, { ...PHONE, port: 5038 }))();
  free();
  (await take(state))();
  expect(readdirSync(join(state, "pawl/devices")).filter((name) => !name.endsWith(".lock"))).toEqual([]);
});

test("where it cannot be noted who works on a phone, that is an error that names the place", async () => {
  const file = join(scratch(), "file");
  writeFileSync(file, "");
  await expect(take(file)).rejects.toMatchObject({
    code: "SCREEN_LOCK",
    message: expect.stringContaining(join(file, "pawl/devices")),
  });
});

/** A process of its own that wants the phone; `says`: its next line. */
function taker(program: string, state: string) {
  const child = spawn(process.execPath, [program], {
    env: { XDG_STATE_HOME: state },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const says = async (): Promise<string> => String((await lines.next()).value);
  return { child, says, tell: () => child.stdin.write("go\n") };
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

test("of many that want the phone of a killed run at once exactly one gets it, and the others are told which", async () => {
  const state = scratch();
  // where it finds the packages that it leaves outside
  const folder = join(import.meta.dirname, "../../node_modules/.cache/pawl-taker");
  await bundle({ taker: "test/device/support/taker.ts" }, folder);
  const start = () => taker(join(folder, "taker.mjs"), state);
  const first = start();
  await first.says();
  first.tell();
  expect(await first.says()).toBe("taken");
  const many = Array.from({ length: 6 }, start);
  await Promise.all(many.map(({ says }) => says()));
  await killed(first.child);
  for (const { tell } of many) tell();
  const said = await Promise.all(many.map(({ says }) => says()));
  const winner = many[said.indexOf("taken")]!;
  const refused = `SCREEN_TAKEN adb:emulator-5554 is in use: taker ${winner.child.pid} (pid ${winner.child.pid}) works on it`;
  expect(said.filter((line) => line.startsWith(refused))).toHaveLength(5);
  await killed(winner.child);
  (await take(state))();
});

suiteNeeding({ program: "adb", debianPackage: "adb", works: adbHere() }, "two runs on one phone", () => {
  let android: Android;
  let server: ModelServer;
  beforeAll(async () => {
    android = await startAndroid();
    server = await startModelServer(() => ({ text: "" }), { keys: null });
  });
  afterAll(async () => {
    await android?.close();
    await server?.close();
  });

  /** `pawl device …` in a repository of its own, as the user whose state is there. */
  function pawl(state: string, args: readonly string[]) {
    const yaml = `models: {eyes: {provider: openai-compatible, base_url: "${server.url}/v1", model: m, dialect: pawl}}\n`;
    const { repo } = repository({ "pawl.yaml": yaml });
    const env = { ...android.server.env, XDG_STATE_HOME: state, GIT_CONFIG_GLOBAL: "/dev/null" };
    const cli = join(import.meta.dirname, "../../dist/cli.mjs");
    const child = spawn(process.execPath, [cli, "device", ...args, "--on", android.target, "--json"], {
      cwd: repo,
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    const ended = once(child, "close").then(([code]) => ({ code, said: JSON.parse(out) }));
    ended.catch(() => {});
    return { child, repo, ended };
  }

  test("the second run is refused before it does anything to the phone; when the first was killed the next starts at once", async () => {
    const state = scratch();
    const asked = new Promise<void>((resolve) =>
      server.script(() => {
        resolve();
        return { text: '{"action": "home"}', stallAfter: 0 };
      }),
    );
    const first = pawl(state, ["run", "buy a kettle"]);
    await asked;
    const lines = android.phone.lines.length;
    const [note = ""] = readdirSync(join(state, "pawl/devices")).filter((name) => name.endsWith(".json"));
    const { by, since } = JSON.parse(readFileSync(join(state, "pawl/devices", note), "utf8"));
    for (const args of [
      ["run", "sell it"],
      ["replay", join(first.repo, ".pawl/runs")],
    ]) {
      const run = pawl(state, args);
      const { code, said } = await run.ended;
      if (args[0] === "replay") continue;
      expect([code, said.errors]).toEqual([1, [expect.objectContaining({ code: "SCREEN_TAKEN" })]]);
      expect(said.errors[0].message).toContain(`in use: ${by} (pid ${first.child.pid}) works on it since`);
    }
    expect(by).toMatch(new RegExp(`^the run phone-[0-9a-f]{4} in ${first.repo}/.pawl/runs/phone-`));
    expect(Date.now() - Date.parse(since)).toBeGreaterThanOrEqual(0);
    expect(android.phone.lines.length).toBe(lines);
    await killed(first.child);
    server.script(() => ({ text: '{"action": "FINISH", "reason": "bought"}' }));
    expect(await pawl(state, ["run", "buy a kettle"]).ended).toMatchObject({ code: 0, said: { reason: "bought" } });
  });
});
