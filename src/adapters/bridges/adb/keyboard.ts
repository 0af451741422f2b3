import { escapeArg } from "@yume-chan/adb";
import { PawlError } from "../../../domain/errors.ts";
import { act, look, rest } from "./calls.ts";
import type { Shell } from "./shell.ts";

/** github.com/senzhk/ADBKeyBoard: an input method that types what a broadcast brings it. */
export const ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME";

interface Bounds {
  readonly signal: AbortSignal;
  readonly withinMs: number;
}

/** What was chosen before ADBKeyBoard was; it has to be given back. */
export interface KeyboardBefore {
  readonly chosen: string;
  readonly wasEnabled: boolean;
}

/** Ids of the input methods that are there; null: this system tells nobody (zai-org/Open-AutoGLM issue 228). */
async function installed(shell: Shell, bounds: Bounds): Promise<readonly string[] | null> {
  const listed = await look(shell, "ime list -s -a", bounds);
  return listed === null ? null : listed.split("\n").map((line) => line.trim());
}

async function enabled(shell: Shell, bounds: Bounds): Promise<readonly string[]> {
  const listed = (await look(shell, "settings get secure enabled_input_methods", bounds)) ?? "";
  // with its subtypes: id;subtype;subtype:id
  return listed
    .trim()
    .split(":")
    .map((each) => each.split(";")[0]!);
}

/**
 * Chooses ADBKeyBoard and waits until it hears broadcasts. False: it is not installed, and nothing was changed. Throws
 * SCREEN_REFUSED where the device does not let it be chosen. Before anything is changed `changes` is called with what has
 * to be given back, also if this then fails or is stopped, and a note of it stands on the device; `restoreKeyboard` takes it away.
 */
export async function chooseAdbKeyboard(
  shell: Shell,
  bounds: Bounds,
  changes: (before: KeyboardBefore) => void,
): Promise<boolean> {
  const all = await installed(shell, bounds);
  const usable = await enabled(shell, bounds);
  if (!(all ?? usable).includes(ADB_KEYBOARD)) return false;
  const before = (await noted(shell, bounds)) ?? {
    chosen: ((await look(shell, "settings get secure default_input_method", bounds)) ?? "").trim(),
    wasEnabled: usable.includes(ADB_KEYBOARD),
  };
  changes(before);
  await act(shell, `echo ${escapeArg(`${before.chosen} ${before.wasEnabled}`)} > ${NOTE}`, bounds);
  if (!usable.includes(ADB_KEYBOARD)) await insist(shell, `ime enable ${ADB_KEYBOARD}`, bounds);
  await insist(shell, `ime set ${ADB_KEYBOARD}`, bounds);
  await bound(shell, bounds);
  return true;
}

/** Where it is noted on the device what to give back, so that the next one knows it when this process is killed. */
const NOTE = "/data/local/tmp/pawl-keyboard";

/** What a killed process did not give back; null: none, or a person has chosen another keyboard since. Changes nothing. */
export async function leftBehind(shell: Shell, bounds: Bounds): Promise<KeyboardBefore | null> {
  const before = await noted(shell, bounds);
  if (before === null) return null;
  const chosen = await look(shell, "settings get secure default_input_method", bounds);
  return chosen?.trim() === ADB_KEYBOARD ? before : null;
}

/** What was chosen before; null: there is no note. */
async function noted(shell: Shell, bounds: Bounds): Promise<KeyboardBefore | null> {
  const note = /^([\w.]+\/[\w.$]+) (true|false)\s*$/.exec((await look(shell, `cat ${NOTE}`, bounds)) ?? "");
  return note === null ? null : { chosen: note[1]!, wasEnabled: note[2] === "true" };
}

/** A method that was just installed is not known at once (suyiiyii/AutoGLM-GUI issue 479): asked again for a while. */
async function insist(shell: Shell, line: string, bounds: Bounds): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      await act(shell, line, bounds);
      return;
    } catch (error) {
      if (tries === TRIES || !/Unknown (input method|id)/i.test((error as Error).message)) throw error;
      await rest(PAUSE_MS, bounds.signal);
    }
}
const TRIES = 20;
const PAUSE_MS = 100;

/** A broadcast that comes before the method is bound is heard by nobody. */
async function bound(shell: Shell, bounds: Bounds): Promise<void> {
  for (let tries = 0; tries <= TRIES; tries++) {
    const state = (await look(shell, "dumpsys input_method", bounds)) ?? "";
    const current = /\bmCurMethodId=(\S+)/.exec(state)?.[1];
    if ((current === undefined || current === ADB_KEYBOARD) && !/\bmBoundToMethod=false/.test(state)) return;
    await rest(PAUSE_MS, bounds.signal);
  }
  throw new PawlError("SCREEN_REFUSED", `${shell.serial} does not start its input method ${ADB_KEYBOARD}`, {
    next: "tap a text field first, and look whether ADBKeyBoard works there",
  });
}

/** Gives the keyboard back as it was. Throws what `act` throws. */
export async function restoreKeyboard(
  shell: Shell,
  { chosen, wasEnabled }: KeyboardBefore,
  bounds: Bounds,
): Promise<void> {
  if (/^[\w.]+\/[\w.$]+$/.test(chosen)) await act(shell, `ime set ${escapeArg(chosen)}`, bounds);
  if (!wasEnabled && chosen !== ADB_KEYBOARD) await act(shell, `ime disable ${ADB_KEYBOARD}`, bounds);
  await act(shell, `rm -f ${NOTE}`, bounds);
}
