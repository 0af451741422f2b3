import { Command, CommanderError } from "commander";
import { PawlError } from "../../domain/errors.ts";
import { type Context, createContext, type GlobalFlags, type Streams } from "./context.ts";
import { DECLARED, type Declared } from "./declared.ts";
import { EXIT } from "./exit-code.ts";
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
  const program = declare(around, async (declared, command) => {
    const options = command.opts() as { agent?: string; workers?: unknown };
    const { agent, workers } = declared.usage.startsWith("run") ? options : {};
    const flags = flagsOf(command.parent!);
    context = createContext({ flags, options: { agent, workers: workers as string | undefined }, ...around });
    const { run } = await declared.load();
    code = await run(context, command.args, command.opts() as never);
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    return endWith(error, { args, around, context });
  }
}

type Act = (declared: Declared, command: Command) => Promise<void>;

function declare({ streams }: Surroundings, act: Act): Command {
  const program = new Command("pawl")
    .description("Runs autonomous agents on a backlog of real work, and never slips back.")
    .option("--json", "one JSON document instead of text")
    .option("--repo <dir>", "the repository (default: the one of this folder, PAWL_REPO)")
    .option("--store <path>", "the store (default: .pawl/store.db, PAWL_STORE)")
    .option("-q, --quiet", "results and errors only")
    .option("-v, --verbose", "more; twice: still more", (_: string, before: number) => before + 1, 0)
    .option("--no-color", "no colours")
    .option("--yes", "answer yes to what would be asked")
    .version(`pawl ${version()}`, "--version", "print the version")
    .helpOption("-h, --help", "print this")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      // Its errors are told in our own form.
      writeErr: () => undefined,
    })
    .configureHelp({ showGlobalOptions: false, helpWidth: 100 });
  for (const declared of DECLARED) {
    const command = program.command(declared.usage).description(declared.summary).helpGroup(`${declared.group}:`);
    for (const [flags, text] of declared.options ?? []) command.option(flags, text);
    for (const [flags, text] of declared.repeated ?? [])
      command.option(flags, text, (value: string, before: readonly string[]) => [...before, value], []);
    command.action(() => act(declared, command));
  }
  return program;
}

function flagsOf(program: Command): GlobalFlags {
  const { json, quiet, yes, color, repo, store, verbose } = program.opts<Partial<GlobalFlags>>();
  return {
    json: json ?? false,
    quiet: quiet ?? false,
    yes: yes ?? false,
    color: color ?? true,
    verbose: verbose ?? 0,
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
  return context.fail([await fault(error, of)]);
}

/** For errors that come before the flags are known. */
const bare = (args: readonly string[], around: Surroundings): Context =>
  createContext({
    flags: { json: args.includes("--json"), quiet: false, yes: false, color: !args.includes("--no-color"), verbose: 0 },
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
