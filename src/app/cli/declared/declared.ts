import type { Context } from "../context.ts";

/** A command as the command line knows it; its file is loaded when it is asked for. */
export interface Declared {
  /** name and arguments as commander reads them: `add <title...>` */
  readonly usage: string;
  readonly group: string;
  readonly summary: string;
  readonly options?: readonly (readonly [flags: string, text: string])[];
  /** options that may be given several times; each is a list */
  readonly repeated?: readonly (readonly [flags: string, text: string])[];
  /** exit codes that it has beside 0, 2 and 70, which every command may end with */
  readonly exits?: readonly number[];
  readonly load: () => Promise<Module>;
}

/** `never`: what each command's options are, only that command knows. */
export interface Module {
  readonly run: (ctx: Context, args: readonly string[], options: never) => Promise<number>;
}
