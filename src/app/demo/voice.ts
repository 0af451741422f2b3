import { hasUnicode, type Palette, paletteOf, wantsColour } from "../cli/palette.ts";

/** What the demo says. On a terminal the live view has the screen while the processor runs. */
export interface Voice {
  readonly isTerminal: boolean;
  readonly paint: Palette;
  /** to stdout, now */
  say(...lines: readonly string[]): void;
  /** the next act: an empty line, a number, a title */
  act(title: string): void;
  /** as it happens; on a terminal, when the live view has ended */
  tell(...lines: readonly string[]): void;
  /** from here on a live view has the screen, or not any more: then what was told meanwhile is said */
  hold(on: boolean): void;
}

/** Speaks to the streams of this process. */
export function openVoice(): Voice {
  const { env, stdin, stdout, stderr } = process;
  const isTerminal = Boolean(stdin.isTTY && stdout.isTTY && stderr.isTTY) && !env.CI && env.TERM !== "dumb";
  const paint = paletteOf(wantsColour(env, { flag: true, isTerminal: Boolean(stdout.isTTY) }), hasUnicode(env));
  const kept: string[] = [];
  let held = false;
  let acts = 0;
  const say = (...lines: readonly string[]): void => void stdout.write(lines.map((line) => `${line}\n`).join(""));
  return {
    isTerminal,
    paint,
    say,
    act(title) {
      acts++;
      say("", paint.bold(`${acts}. ${title}`));
    },
    tell(...lines) {
      if (held) kept.push(...lines);
      else say(...lines);
    },
    hold(on) {
      held = on && isTerminal;
      if (!held) say(...kept.splice(0));
    },
  };
}
