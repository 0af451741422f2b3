/** Colours of the terminal (16 of them, never alone: the word is there too), and characters that it can show. */
export interface Palette {
  readonly green: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  /** false: only ASCII (PAWL_ASCII=1, a locale without UTF-8, TERM=dumb) */
  readonly unicode: boolean;
}

const ink =
  (on: boolean, open: number, close: number) =>
  (text: string): string =>
    on && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;

export const paletteOf = (colour: boolean, unicode: boolean): Palette => ({
  green: ink(colour, 32, 39),
  red: ink(colour, 31, 39),
  yellow: ink(colour, 33, 39),
  cyan: ink(colour, 36, 39),
  bold: ink(colour, 1, 22),
  dim: ink(colour, 2, 22),
  unicode,
});

type Env = Readonly<Record<string, string | undefined>>;

/** Whether a stream gets colours: --no-color, NO_COLOR, FORCE_COLOR, then whether it is a terminal. */
export function wantsColour(env: Env, of: { readonly flag: boolean; readonly isTerminal: boolean }): boolean {
  if (!of.flag || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0";
  return of.isTerminal && env.TERM !== "dumb";
}

/** Whether lines and dots can be shown. */
export function hasUnicode(env: Env): boolean {
  if (env.PAWL_ASCII === "1" || env.TERM === "dumb") return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  return locale === "" || /utf-?8/i.test(locale);
}
