import { PawlError } from "../../../domain/errors.ts";
import { act } from "./calls.ts";
import { chooseAdbKeyboard, type KeyboardBefore, restoreKeyboard } from "./keyboard.ts";
import type { Shell } from "./shell.ts";
import { base64Parts, isPlain, isTypable, typingLines } from "./text.ts";

interface Bounds {
  readonly signal: AbortSignal;
  readonly withinMs: number;
}

/** Types, and remembers which keyboard has to be given back: also one that a killed process left. */
export class Typist {
  #before: KeyboardBefore | null;
  #isChosen = false;

  constructor(left: KeyboardBefore | null) {
    this.#before = left;
  }

  /**
   * Plain ASCII goes through the device's own `input`; everything else through ADBKeyBoard; where that is not there and
   * keys can type it, through keys. Throws SCREEN_REFUSED before anything is typed, SCREEN_UNSURE after a part of it.
   */
  async type(shell: Shell, text: string, bounds: Bounds): Promise<void> {
    if (text === "") return;
    if (isPlain(text)) return this.#run(shell, typingLines(text), bounds);
    this.#isChosen ||= await chooseAdbKeyboard(shell, bounds, (before) => {
      this.#before ??= before;
    });
    if (this.#isChosen) {
      const lines = base64Parts(text).map((part) => `am broadcast -a ADB_INPUT_B64 --es msg '${part}'`);
      return this.#run(shell, lines, bounds);
    }
    if (!isTypable(text)) throw noKeyboard(shell);
    return this.#run(shell, typingLines(text), bounds);
  }

  /** Can be called again, also when it failed; throws SCREEN_GONE or SCREEN_REFUSED with what a person can do. */
  async restore(shell: Shell, bounds: Bounds): Promise<void> {
    const before = this.#before;
    if (before === null) return;
    try {
      await restoreKeyboard(shell, before, bounds);
    } catch (error) {
      const { code = "SCREEN_GONE" } = error as { code?: string };
      throw new PawlError(code, `the keyboard of ${shell.serial} could not be given back`, {
        next: `adb -s ${shell.serial} shell ime set ${before.chosen}`,
        cause: error,
      });
    }
    this.#before = null;
    this.#isChosen = false;
  }

  async #run(shell: Shell, lines: readonly string[], bounds: Bounds): Promise<void> {
    // more than one command in a line: the second may fail after the first was done
    for (const [i, line] of lines.entries())
      await act(shell, line, { ...bounds, isPart: i > 0 || line.includes(" && input ") });
  }
}

const noKeyboard = (shell: Shell): PawlError =>
  new PawlError("SCREEN_REFUSED", `${shell.serial} has no input method that types other than plain ASCII text`, {
    next: "install ADBKeyBoard on it: adb install ADBKeyboard.apk",
  });
