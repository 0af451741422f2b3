import type { Declared } from "./declared.ts";

/** Hands on a screen. */
export const DEVICE: readonly Declared[] = [
  {
    usage: "device <what> [words...]",
    group: "Device",
    summary:
      "a phone or a browser: list | run GOAL --on TARGET | show RUN | replay RUN --on TARGET | export RUN | parse",
    options: [
      ["--on <target>", "run, replay: adb:SERIAL, browser:URL or replay:RUN"],
      ["--model <model>", "run: who looks and decides, a name of pawl.yaml or PROVIDER/MODEL (PAWL_MODEL)"],
      ["--max-steps <n>", "run: steps before it gives up (default: 50)"],
      ["--step-delay <duration>", "run: at least so long between an action and the next look"],
      ["--max-retries <n>", "run: tries after the first, of actions, answers and pictures (default: 2)"],
      ["--retry-delay <duration>", "run: between tries (default: 0.5s, 1s, 2s …)"],
      ["--tree", "run: the accessibility tree goes with each picture"],
      ["--marks", "run: numbers are drawn on what can be touched (with --tree)"],
      ["--step-info", "run: the model is told how many steps are left"],
      ["--validate", "run: an action after which the screen is the same is tried again"],
      ["--ask-timeout <duration>", "run: how long an answer of yours is waited for (default: 2m)"],
      ["--embed", "run: pictures go into trajectory.json as base64"],
      ["-o, --out <file>", "show, export: where it is written"],
      ["--dialect <name>", "parse: pawl, autoglm, ui-tars, mai-ui or qwen"],
      ["--space <space>", "parse: how the model counts coordinates"],
      ["--frame <size>", "parse: the picture's size, like 1080x2340"],
    ],
    exits: [1, 4, 5, 6, 130],
    load: () => import("../commands/device.ts"),
  },
];
