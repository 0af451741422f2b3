import { DEVICE_DEFAULTS, type DeviceSettings } from "../../../device/settings.ts";
import { PawlError } from "../../../domain/errors.ts";
import { countOf, durationOf } from "../../config/units.ts";

/** The flags of `pawl device run`. */
export interface RunFlags {
  readonly on?: string;
  readonly model?: string;
  readonly maxSteps?: string;
  readonly stepDelay?: string;
  readonly maxRetries?: string;
  readonly retryDelay?: string;
  readonly askTimeout?: string;
  readonly tree?: boolean;
  readonly marks?: boolean;
  readonly stepInfo?: boolean;
  readonly validate?: boolean;
  readonly embed?: boolean;
}

/** What the flags say, over the defaults. Throws USAGE for what is no number or duration. */
export function settingsOf(flags: RunFlags): DeviceSettings {
  const usual = DEVICE_DEFAULTS;
  return {
    ...usual,
    maxSteps: atLeastOne("max-steps", number("max-steps", flags.maxSteps) ?? usual.maxSteps),
    stepDelayMs: time("step-delay", flags.stepDelay) ?? usual.stepDelayMs,
    maxRetries: number("max-retries", flags.maxRetries) ?? usual.maxRetries,
    retryDelayMs: time("retry-delay", flags.retryDelay) ?? usual.retryDelayMs,
    askUserTimeoutMs: time("ask-timeout", flags.askTimeout) ?? usual.askUserTimeoutMs,
    useAccessibilityTree: Boolean(flags.tree || flags.marks),
    includeStepInfo: flags.stepInfo ?? usual.includeStepInfo,
    validateScreenChange: flags.validate ?? usual.validateScreenChange,
    screenshots: flags.embed ? "base64" : usual.screenshots,
  };
}

const number = (name: string, text: string | undefined): number | null =>
  text === undefined ? null : (countOf(text) ?? refuse(name, text, "a whole number"));
const time = (name: string, text: string | undefined): number | null =>
  text === undefined ? null : (durationOf(text) ?? refuse(name, text, "a duration like 0.5s, 1s or 2m"));
const atLeastOne = (name: string, value: number): number =>
  value >= 1 ? value : refuse(name, String(value), "at least 1");

function refuse(name: string, text: string, wanted: string): never {
  throw new PawlError("USAGE", `--${name} has to be ${wanted}, and is "${text}"`, { next: "pawl device --help" });
}
