import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { trajectorySchema } from "../../src/device/trajectory.ts";
import { type Android, startAndroid } from "../support/android/android.ts";
import { ADB_KEYBOARD, LATIN } from "../support/android/keyboards.ts";
import { long } from "../support/long.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { suiteNeeding } from "../support/needs.ts";
import { repository, scratch } from "../support/scratch.ts";
import { adbHere } from "./support/adb-here.ts";

const TAP = JSON.stringify({ action: "tap", coordinate: [130 / 360, 65 / 800] });
const TYPE = JSON.stringify({ action: "type", text: "é" });
/** longer than any test waits */
const SLOW = { kind: "slow", ms: 300_000 } as const;

interface Moment {
  readonly title: string;
  readonly says: readonly string[];
  /** what holds the run up there */
  readonly held?: (phone: Android["phone"]) => void;
  /** whether it is there */
  readonly isThere: (phone: Android["phone"], asked: number) => boolean;
  readonly flags?: readonly string[];
  readonly steps: number;
  /** for the long run alone: others find mostly the same */
  readonly isLong?: true;
}

const saw =
  (word: string) =>
  ({ lines }: Android["phone"]): boolean =>
    lines.some((line) => line.includes(word));

const MOMENTS: readonly Moment[] = [
  {
    title: "its first picture is taken",
    says: [],
    held: ({ faults }) => faults.plan("screencap", SLOW),
    isThere: saw("screencap"),
    steps: 0,
  },
  {
    title: "an action is done",
    isLong: true,
    says: [TAP],
    held: ({ faults }) => faults.plan("input", SLOW),
    isThere: saw("input tap"),
    steps: 1,
  },
  {
    title: "it waits for the next step",
    isLong: true,
    says: [TAP],
    flags: ["--step-delay", "5m"],
    isThere: ({ deeds }) => deeds.length === 1,
    steps: 1,
  },
  {
    title: "a keyboard is chosen",
    says: [TAP, TYPE],
    held: ({ keyboards }) => {
      keyboards.looksToBind = 1_000;
    },
    isThere: saw("dumpsys input_method"),
    steps: 2,
  },
  {
    title: "text is typed by another keyboard",
    isLong: true,
    says: [TAP, TYPE],
    held: ({ faults }) => faults.plan("am", SLOW),
    isThere: saw("am broadcast"),
    steps: 2,
  },
  {
    title: "the model thinks, with another keyboard chosen",
    says: [TAP, TYPE],
    isThere: ({ keyboards }, asked) => asked === 3 && keyboards.current === ADB_KEYBOARD,
    steps: 2,
  },
];

suiteNeeding({ program: "adb", debianPackage: "adb", works: adbHere() }, "Ctrl+C at pawl device run", () => {
  let android: Android;
  let server: ModelServer;
  beforeAll(async () => {
    android = await startAndroid();
    server = await startModelServer(() => ({ text: TAP }), { keys: null });
  });
  afterAll(async () => {
    await android?.close();
    await server?.close();
  });

  /** The program at work in a repository of its own. */
  function running(flags: readonly string[]) {
    const yaml = `models: {eyes: {provider: openai-compatible, base_url: "${server.url}/v1", model: m, dialect: pawl}}\n`;
    const { repo } = repository({ "pawl.yaml": yaml });
    const state = scratch();
    const cli = join(import.meta.dirname, "../../dist/cli.mjs");
    const child = spawn(process.execPath, [cli, "device", "run", "buy", "--on", android.target, ...flags], {
      cwd: repo,
      env: { ...android.server.env, XDG_STATE_HOME: state, GIT_CONFIG_GLOBAL: "/dev/null" },
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, ended: once(child, "exit"), runs: join(repo, ".pawl/runs"), locks: join(state, "pawl/devices") };
  }

  for (const { title, says, held, isThere, flags = [], steps, isLong } of MOMENTS)
    (isLong ? long : test)(
      `while ${title}: the trajectory is whole, the keyboard is given back, the phone is free`,
      async () => {
        const { phone } = android;
        phone.reset();
        phone.keyboards.install(ADB_KEYBOARD);
        held?.(phone);
        let asked = 0;
        server.script(() => (says[asked++] === undefined ? { text: TAP, stallAfter: 0 } : { text: says[asked - 1]! }));
        const { child, ended, runs, locks } = running(flags);
        await expect.poll(() => isThere(phone, asked), { timeout: 30_000 }).toBe(true);
        child.kill("SIGINT");
        expect(await ended).toEqual([130, null]);
        expect(phone.keyboards).toMatchObject({ current: LATIN, enabled: [LATIN] });
        expect(readdirSync(locks).filter((name) => name.endsWith(".json"))).toEqual([]);
        const folder = join(runs, readdirSync(runs)[0]!);
        const kept = trajectorySchema.parse(JSON.parse(readFileSync(join(folder, "trajectory.json"), "utf8")));
        expect(kept).toMatchObject({ status: "interrupted", total_steps: steps });
        expect(kept.steps).toHaveLength(steps);
        for (const { screenshot } of kept.steps) expect(existsSync(join(folder, screenshot))).toBe(true);
      },
    );
});
