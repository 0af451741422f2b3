import { Command, CommanderError } from "commander";
import { PawlError } from "../../domain/errors.ts";
import { type Context, createContext, type GlobalFlags, type Streams } from "./context.ts";
import { GLOBAL_FLAGS } from "./declared/global-flags.ts";
import { DECLARED, type Declared } from "./declared.ts";
import { EXIT, EXIT_WORDS } from "./exit-code.ts";
import { jsonText, table } from "./printable.ts";
import { version } from "./version.ts";

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly streams: Streams;
}

const ours = (): Surroundings => ({ cwd: process.cwd(), env: process.env, streams: process });

/** Runs one command line (without `node` and the program's own name) and gives its exit code. Throws nothing. */
export async function runProgram(args: readonly string[], around: Surroundings = ours()): Promise<number> {
  let code: number = EXIT.done;
  let context: Context | null = null;
  const told: string[] = [];
  const program = declare(told, async (declared, command) => {
    const options = command.opts() as { agent?: string; workers?: unknown };
    const { agent, workers } = declared.usage.startsWith("run") ? options : {};
    const flags = flagsOf(command.parent!);
    const goesOn = GOES_ON.has(declared.usage.split(" ")[0]!);
    context = createContext({ flags, options: { agent, workers: workers as string | undefined }, goesOn, ...around });
    const { run } = await declared.load();
    code = await run(context, command.args, command.opts() as never);
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    return endWith(error, { args, around, context });
  } finally {
    if (told.length > 0) around.streams.stdout.write(helpText(told.join(""), args));
  }
}

/** With --json these put out lines, and what ends them is a line too. */
const GOES_ON: ReadonlySet<string> = new Set(["run", "logs", "export", "watch"]);

/** Help, or the version: also as a document. */
function helpText(text: string, args: readonly string[]): string {
  if (!args.includes("--json")) return text;
  const isVersion = text === `pawl ${version()}\n`;
  return `${jsonText({ ok: true, ...(isVersion ? { version: version() } : { help: text }) }, 2)}\n`;
}

const exitLines = (codes: readonly number[]): string =>
  table(codes.map((code) => [`  ${code}`, EXIT_WORDS[code]!])).join("\n");
const ALL_EXITS = `\nExit codes:\n${exitLines(Object.keys(EXIT_WORDS).map(Number))}`;
const exitsOf = ({ exits = [] }: Declared): string =>
  `\nExit codes:\n${exitLines([...new Set([0, 2, ...exits])].sort((a, b) => a - b))}\n\nFlags of every command: pawl --help`;

type Act = (declared: Declared, command: Command) => Promise<void>;

/** `told`: where help and version go, piece by piece. */
function declare(told: string[], act: Act): Command {
  const program = new Command("pawl")
    .description("Runs autonomous agents on a backlog of real work, and never slips back.")
    .version(`pawl ${version()}`, "--version", "print the version")
    .helpOption("-h, --help", "print this")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void told.push(text),
      // Its errors are told in our own form.
      writeErr: () => undefined,
    })
    .configureHelp({ showGlobalOptions: false, helpWidth: 100 })
    .addHelpText("after", ALL_EXITS);
  for (const [flags, text] of GLOBAL_FLAGS) program.option(flags, text);
  for (const declared of DECLARED) {
    const command = program.command(declared.usage).description(declared.summary).helpGroup(`${declared.group}:`);
    for (const [flags, text] of declared.options ?? []) command.option(flags, text);
    for (const [flags, text] of declared.repeated ?? [])
      command.option(flags, text, (value: string, before: readonly string[]) => [...before, value], []);
    command.addHelpText("after", exitsOf(declared));
    command.action(() => act(declared, command));
  }
  return program;
}

function flagsOf(program: Command): GlobalFlags {
  const { json, quiet, yes, color, repo, store } = program.opts<Partial<GlobalFlags>>();
  return {
    json: json ?? false,
    quiet: quiet ?? false,
    yes: yes ?? false,
    color: color ?? true,
    repo,
    store,
  };
}

async function endWith(
  error: unknown,
  of: { args: readonly string[]; around: Surroundings; context: Context | null },
): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  const context = of.context ?? bare(of.args, of.around);
  if (error instanceof CommanderError) return context.fail([usageError(error, of.args)]);
  if (error instanceof PawlError) return context.fail([error]);
  const { unwritable } = await import("./unwritable.ts");
  return context.fail([unwritable(error) ?? (await fault(error, of))]);
}

/** For errors that come before the flags are known. */
const bare = (args: readonly string[], around: Surroundings): Context =>
  createContext({
    flags: { json: args.includes("--json"), quiet: false, yes: false, color: !args.includes("--no-color") },
    options: {},
    ...around,
    env: { ...around.env, PAWL_STORE: undefined, PAWL_AGENT: undefined },
  });

function usageError({ message, code }: CommanderError, args: readonly string[]): PawlError {
  if (code === "commander.help") return new PawlError("USAGE", "no command was named", { next: "pawl --help" });
  const [first = "it cannot be read", ...hints] = message.replace(/^error: /, "").split("\n");
  const meant = /Did you mean (.*)\?/.exec(hints.join(" "))?.[1];
  const named = DECLARED.find(({ usage }) => args.includes(usage.split(" ")[0]!))?.usage.split(" ")[0];
  const help = named === undefined ? "pawl --help" : `pawl ${named} --help`;
  return new PawlError("USAGE", first.replace(/\.$/, ""), {
    next: meant === undefined ? help : `write ${meant}, or see ${help}`,
  });
}

async function fault(
  error: unknown,
  { args, around }: { args: readonly string[]; around: Surroundings },
): Promise<PawlError> {
  const what = error instanceof Error ? error.message : String(error);
  const next = await reported(error, { args, around });
  return new PawlError("FAULT", `this is a fault in Pawl, not of yours: ${what}`, { next });
}

async function reported(
  error: unknown,
  { args, around }: { args: readonly string[]; around: Surroundings },
): Promise<string> {
  try {
    const { writeFaultReport } = await import("./fault-report.ts");
    return `send ${await writeFaultReport(error, args, around.cwd)} to those who make Pawl; what was committed to the store is safe.`;
  } catch {
    return error instanceof Error && error.stack ? error.stack : "no report could be written.";
  }
}
