import type { StepOutcome } from "../../../src/device/trajectory.ts";
import type { Android } from "../../support/android/android.ts";
import type { Chance } from "../../support/chance.ts";

/** Something that goes wrong during one step, and how that step may be told of then. */
export interface Trouble {
  readonly name: string;
  /** only steps that go through the program `input` meet it */
  readonly ofInput: boolean;
  readonly plan: (android: Android, of: Chance) => void;
  readonly outcomes: readonly StepOutcome[];
}

const input = (
  name: string,
  fault: Parameters<Android["phone"]["faults"]["plan"]>[1],
  of: { times?: number; outcomes: readonly StepOutcome[] },
): Trouble => ({
  name,
  ofInput: true,
  plan: ({ phone }) => phone.faults.plan("input", fault, of.times ?? 1),
  outcomes: of.outcomes,
});
const capture = (name: string, fault: Parameters<Android["phone"]["faults"]["plan"]>[1], times = 1): Trouble => ({
  name,
  ofInput: false,
  plan: ({ phone }) => phone.faults.plan("screencap", fault, times),
  outcomes: ["done"],
});
const REFUSAL = { kind: "refused", said: "Error: Injecting input failed", code: 1 } as const;
const NULL_ROOT = "ERROR: null root node returned by UiTestAutomationBridge.\n";

export const TROUBLES: readonly Trouble[] = [
  // it lands, and nobody says so: seen on the screen, it was done
  input("an action that is not answered", { kind: "silent" }, { outcomes: ["done", "unsure"] }),
  input("an action with which the connection goes", { kind: "cut", ms: 150 }, { outcomes: ["done", "unsure"] }),
  input("an action that is refused once", REFUSAL, { outcomes: ["done"] }),
  input("an action that is refused for good", REFUSAL, { times: 3, outcomes: ["failed", "done"] }),
  input("a slow action", { kind: "slow", ms: 60 }, { outcomes: ["done"] }),
  capture("a black picture", { kind: "black" }),
  capture("half a picture", { kind: "short" }),
  capture("no picture", { kind: "empty" }, 2),
  capture("a banner before the picture", { kind: "banner", said: "WARNING: linker: libfoo.so\n" }),
  capture("a slow picture", { kind: "slow", ms: 80 }),
  capture("a picture that never comes", { kind: "silent" }),
  {
    name: "no tree",
    ofInput: false,
    plan: ({ phone }) => phone.faults.plan("uiautomator", { kind: "refused", said: NULL_ROOT, code: 0 }, 4),
    outcomes: ["done"],
  },
  {
    name: "the device gone between two steps",
    ofInput: false,
    plan: ({ daemon }, of) => daemon.drop(50 + of.below(200)),
    // the very next thing may be the action: whether it went out is looked for
    outcomes: ["done", "unsure"],
  },
  {
    name: "the screen turned",
    ofInput: false,
    plan: ({ phone }, of) => {
      phone.rotation = of.pick([0, 1, 2, 3] as const);
    },
    outcomes: ["done"],
  },
  {
    name: "another size of the screen",
    ofInput: false,
    plan: ({ phone }, of) => {
      phone.override = of.pick([null, { width: 720, height: 1600 }]);
    },
    outcomes: ["done"],
  },
  {
    name: "a slow connection",
    ofInput: false,
    plan: ({ phone }, of) => {
      phone.faults.latencyMs = 5 + of.below(40);
    },
    outcomes: ["done"],
  },
];
