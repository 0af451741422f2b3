import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram } from "../../src/app/cli/program.ts";
import { type Android, startAndroid } from "../support/android/android.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { suiteNeeding } from "../support/needs.ts";
import { repository, scratch } from "../support/scratch.ts";
import { adbHere } from "./support/adb-here.ts";

/** The shop on a phone, driven by `pawl device` and by a model that says its lines over the wire. */
suiteNeeding({ program: "adb", debianPackage: "adb", works: adbHere() }, "pawl device", () => {
  let android: Android;
  let server: ModelServer;
  const lines: string[] = [];
  beforeAll(async () => {
    android = await startAndroid();
    server = await startModelServer(
      () => ({ text: lines.shift() ?? '{"action": "FINISH", "reason": "no lines left"}' }),
      {
        keys: null,
      },
    );
  });
  afterAll(async () => {
    await android?.close();
    await server?.close();
  });

  const usual = () =>
    `models: {eyes: {provider: openai-compatible, base_url: "${server.url}/v1", model: m, dialect: pawl}}\n`;

  /** A repository whose pawl.yaml names the model, and what `pawl` says there. */
  function place({ yaml = usual(), ...more }: { yaml?: string; KEY?: string } = {}) {
    android.phone.reset();
    const { repo } = repository({ "pawl.yaml": yaml });
    const own = { HOME: process.env.HOME, XDG_STATE_HOME: scratch(), GIT_CONFIG_GLOBAL: "/dev/null" };
    const env = { ...android.server.env, ...own, ...more };
    const pawl = async (...args: string[]) => {
      let [out, err] = ["", ""];
      const streams = {
        stdin: {},
        stdout: { write: (text: string | Uint8Array) => (out += Buffer.from(text).toString()) },
        stderr: { write: (text: string | Uint8Array) => (err += Buffer.from(text).toString()) },
      };
      const code = await runProgram(args, { cwd: repo, env, streams });
      return { code, out, err };
    };
    return { repo, env, pawl };
  }
  const tap = (x: number, y: number) => JSON.stringify({ action: "tap", coordinate: [x / 360, y / 800] });

  test("lists the phones that are here", async () => {
    const { pawl } = place();
    const { code, out } = await pawl("device", "list");
    expect(out).toMatch(new RegExp(`${android.target}\\s+ready`));
    expect(code).toBe(0);
  });

  test("where no server of adb runs it says so, and leaves none behind", async () => {
    const own = await startAndroid();
    await own.server.kill();
    const { repo } = place();
    const list = async () => {
      let said = "";
      const stream = { write: (text: string | Uint8Array) => (said += Buffer.from(text).toString()) };
      await runProgram(["device", "list"], {
        cwd: repo,
        env: { ...own.server.env, HOME: process.env.HOME },
        streams: { stdin: {}, stdout: stream, stderr: stream },
      });
      return said;
    };
    const none = `no phones: no adb server runs at 127.0.0.1:${own.port}; adb start-server`;
    expect(await list()).toContain(none);
    expect(await list()).toContain(none);
    await own.close();
  });

  test("a key that is refused is a missing credential (4), told in plain words", async () => {
    const locked = await startModelServer(() => ({ text: "never" }), { keys: ["right"] });
    try {
      const yaml = `models: {eyes: {provider: openai-compatible, base_url: "${locked.url}/v1", key_env: KEY, model: m}}\n`;
      const { pawl } = place({ yaml, KEY: "wrong" });
      const ran = await pawl("device", "run", "buy", "--on", android.target);
      expect([ran.code, ran.out]).toEqual([
        4,
        expect.stringMatching(/^FAILED {4}the agent did not answer: MODEL_KEY_REFUSED: /),
      ]);
      expect(ran.out).not.toContain('\\"');
    } finally {
      await locked.close();
    }
  });

  test("runs a goal, and shows, exports and replays what was recorded", async () => {
    const { repo, pawl } = place();
    lines.push(
      `The button first.\n${tap(310, 65)}`,
      "I do not know.",
      tap(150, 150),
      '{"action": "FINISH", "reason": "bought"}',
    );
    const ran = await pawl("device", "run", "buy", "a kettle", "--on", android.target, "--max-steps", "9");
    expect(ran.err).toMatch(/ {2}1\/9 {2}tap \[0\.86, 0\.08\] +"The button first\." {2}screen changed {2}\d+\.\ds/);
    expect(ran.err).toMatch(/ {2}2\/9 {2}no action +invalid: there is no action/);
    expect(ran.out).toMatch(
      /^FINISH {4}"bought" · 4 steps · .* tokens.* · next: pawl device show phone-[0-9a-f]{4}\n$/,
    );
    expect(ran.code).toBe(0);
    const [id = ""] = /phone-[0-9a-f]{4}/.exec(ran.out)!;
    const folder = join(repo, ".pawl", "runs", id);
    expect(readdirSync(folder).sort()).toEqual(["events.jsonl", "screenshots", "trajectory.json"]);
    expect(android.phone.shop.page()).toBe("red kettle");

    const shown = await pawl("device", "show", id.slice("phone-".length));
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining("buy a kettle\nsuccess: bought · 4 steps") });
    const page = readFileSync(join(folder, "player.html"), "utf8");
    expect(page).toContain("Content-Security-Policy");
    expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org|127\.0\.0\.1)/);

    const exported = await pawl("device", "export", id);
    const { steps, screenshots } = JSON.parse(exported.out);
    expect(screenshots).toBe("base64");
    expect(Buffer.from(steps[0].screenshot, "base64").toString("latin1", 1, 4)).toBe("PNG");

    android.phone.reset();
    const again = await pawl("device", "replay", id, "--on", android.target);
    expect(again).toMatchObject({ code: 0, out: "the same: 2 screens compared, of 4 steps\n" });
    expect(android.phone.shop.page()).toBe("red kettle");
    const elsewhere = await pawl("device", "replay", id, "--on", android.target);
    expect(elsewhere).toMatchObject({ code: 1, out: expect.stringContaining("different: step") });
    const recorded = await pawl("device", "replay", id, "--on", `replay:${id}`, "--json");
    expect(JSON.parse(recorded.out)).toMatchObject({ ok: true, compared: 2 });
  });

  test("refuses what cannot be run, before anything is done", async () => {
    const { repo, pawl } = place();
    for (const [args, code, word] of [
      [["run", "--on", android.target], 2, "USAGE"],
      [["run", "buy"], 2, "USAGE"],
      [["run", "buy", "--on", "tv:1"], 2, "TARGET_BAD"],
      [["run", "buy", "--on", android.target, "--max-steps", "0"], 2, "USAGE"],
      [["show", "abcd"], 6, "RUN_UNKNOWN"],
      [["fly"], 2, "USAGE"],
    ] as const) {
      const said = await pawl("device", ...args, "--json");
      expect([args, said.code, JSON.parse(said.out).errors[0].code]).toEqual([args, code, word]);
    }
    expect(existsSync(join(repo, ".pawl", "runs")) ? readdirSync(join(repo, ".pawl", "runs")) : []).toEqual([]);
  });

  test("DEV-8.3 Ctrl+C while the model thinks: exit code 130 within 2 s, the trajectory whole, no process left", async () => {
    const { repo, env } = place();
    let asked: () => void = () => {};
    const thinking = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let n = 0;
    server.script(() => {
      n++;
      if (n === 1) return { text: tap(310, 65) };
      asked();
      return { text: tap(310, 65), stallAfter: 0 };
    });
    const cli = join(import.meta.dirname, "../../dist/cli.mjs");
    const child = spawn(process.execPath, [cli, "device", "run", "buy", "--on", android.target], {
      cwd: repo,
      env: { ...env, PATH: process.env.PATH },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "exit");
    await thinking;
    const began = performance.now();
    child.kill("SIGINT");
    const [code] = await ended;
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(code).toBe(130);
    const runs = join(repo, ".pawl", "runs");
    const [id = ""] = readdirSync(runs);
    const trajectory = JSON.parse(readFileSync(join(runs, id, "trajectory.json"), "utf8"));
    expect(trajectory).toMatchObject({
      status: "interrupted",
      total_steps: 1,
      reason: expect.stringContaining("stopped"),
    });
    for (const { screenshot } of trajectory.steps) expect(existsSync(join(runs, id, screenshot))).toBe(true);
  });
});
