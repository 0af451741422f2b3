import { statSync } from "node:fs";
import { resolve } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import { type Overrides, overridesFrom } from "../config/overrides.ts";
import { findRepo } from "../config/repository.ts";
import { errorJson, errorText } from "./error-text.ts";
import { exitCodeOf } from "./exit-code.ts";
import { hasUnicode, type Palette, paletteOf, wantsColour } from "./palette.ts";
import { harmless, jsonText } from "./printable.ts";

/** Flags that every command knows. */
export interface GlobalFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  /** answer yes to what would be asked */
  readonly yes: boolean;
  readonly color: boolean;
  readonly repo?: string | undefined;
  readonly store?: string | undefined;
}

/** What a command works with. */
export interface Context {
  readonly flags: GlobalFlags;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** for results, on stdout */
  readonly colour: Palette;
  /** stdin, stdout and stderr are a terminal: questions may be asked */
  readonly isTerminal: boolean;
  /** what flags and environment say instead of pawl.yaml */
  readonly overrides: Overrides;
  /** a result, to stdout; a newline is added, and nothing in it gives orders to a terminal */
  out(text: string): void;
  /** the one JSON document of `--json`, to stdout */
  json(value: unknown): void;
  /** progress and hints, to stderr; nothing with -q and none of it is needed by scripts */
  say(text: string): void;
  /** output of what was started, as it comes, to stderr; nothing with -q */
  pass(chunk: Uint8Array): void;
  /** output of a command that was asked for, as it is; resolves when there is room for more */
  raw(stream: "stdout" | "stderr", bytes: Uint8Array): void | Promise<void>;
  /** errors in the one form, all at once, to stderr (with --json the document, to stdout); gives the exit code of the first. `end`: what did not happen */
  fail(errors: readonly PawlError[], end?: string): number;
  /** warnings in the one form, to stderr */
  warn(warnings: readonly PawlError[]): void;
  /** all that comes on stdin; null: it is a terminal, or there is none */
  input(): Promise<Uint8Array | null>;
  /** absolute path of the main checkout; asked once. Throws REPO_MISSING, GIT_MISSING */
  repo(): Promise<string>;
}

interface OutStream {
  /** false: it is full, and `drain` comes when it is not any more */
  write(text: string | Uint8Array): unknown;
  readonly once?: (event: "drain", told: () => void) => unknown;
  readonly isTTY?: boolean | undefined;
}

export interface Streams {
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  readonly stdin: { readonly isTTY?: boolean | undefined; [Symbol.asyncIterator]?(): AsyncIterator<Uint8Array> };
}

export function createContext(of: {
  flags: GlobalFlags;
  options: { readonly agent?: string | undefined; readonly workers?: string | undefined };
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  streams: Streams;
  /** --json is a line for each event: a document is one line too */
  goesOn?: boolean;
}): Context {
  const { flags, cwd, env, streams } = of;
  const isTerminal = Boolean(streams.stdin.isTTY && streams.stdout.isTTY && streams.stderr.isTTY) && !env.CI;
  const unicode = hasUnicode(env);
  const ink = (stream: { readonly isTTY?: boolean | undefined }): Palette =>
    paletteOf(wantsColour(env, { flag: flags.color, isTerminal: Boolean(stream.isTTY) }), unicode);
  const errorColour = ink(streams.stderr);
  const cuts = Boolean(streams.stderr.isTTY);
  let asked: Promise<string> | null = null;
  let root = cwd;
  const write = (text: string): void => void streams.stderr.write(`${harmless(text)}\n`);
  const json = (value: unknown): void => void streams.stdout.write(`${jsonText(value, of.goesOn ? undefined : 2)}\n`);
  return {
    flags,
    cwd,
    env,
    isTerminal,
    json,
    colour: ink(streams.stdout),
    overrides: overridesFrom({ store: flags.store, agent: of.options.agent, workers: of.options.workers }, env, cwd),
    out: (text) => void streams.stdout.write(`${harmless(text)}\n`),
    say: (text) => (flags.quiet ? undefined : write(text)),
    pass: (chunk) => void (flags.quiet ? undefined : streams.stderr.write(chunk)),
    raw: (stream, bytes) => written(streams[stream], bytes),
    fail(errors, end) {
      const code = errors[0] ? exitCodeOf(errors[0]) : 0;
      if (flags.json) json({ ok: false, errors: errors.map(errorJson), warnings: [] });
      else for (const error of errors) write(errorText(error, { colour: errorColour, root, cuts }));
      if (!flags.json && end) write(`${errors.length} error${errors.length === 1 ? "" : "s"}. ${end} (exit ${code})`);
      return code;
    },
    warn(warnings) {
      if (flags.quiet || flags.json) return;
      for (const warning of warnings) write(errorText(warning, { colour: errorColour, root, cuts, as: "warning" }));
    },
    input: () => allOf(streams.stdin),
    repo: async () => {
      asked ??= findRepo(folderNamed(resolve(cwd, flags.repo ?? env.PAWL_REPO ?? ".")));
      root = await asked;
      return root;
    },
  };
}

function written(stream: OutStream, bytes: Uint8Array): void | Promise<void> {
  const { once } = stream;
  if (stream.write(bytes) !== false || once === undefined) return;
  return new Promise((resolve) => void once.call(stream, "drain", resolve));
}

/** Git says of a folder that is not there what it says where it is not installed. */
function folderNamed(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new PawlError("REPO_MISSING", `there is no folder ${path}`, { next: "name one that is there: --repo DIR" });
}

async function allOf(stdin: Streams["stdin"]): Promise<Uint8Array | null> {
  if (stdin.isTTY || !(Symbol.asyncIterator in stdin)) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
