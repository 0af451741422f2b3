import { GIT_FLAGS } from "./git-environment.ts";

type Told = { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string };

/**
 * One line for a shell: git in that folder, its answer in the shell's own pipes, then the mark with its exit code in both.
 * `cd -P`, as git believes a PWD that leads to where it stands. `command`: no function of that name.
 */
export const sharedLine = (args: readonly string[], told: Told, mark: string): string =>
  line(told, mark, "true", `${piped(told, `${assigned(told)}command ${gitOf(args)}`)}; s=$?`);

/**
 * The same, with its answer in files, so that what it leaves behind holds no pipe of the shell's. `begun` is there as soon
 * as it may have started; a git in a session of its own has it hold the session's id. `true`: a redirection that fails
 * ends no shell there.
 */
export function ownLine(args: readonly string[], told: Told, { mark, out, err, begun, hasSession }: Own): string {
  const made = [out, err, begun].map((file) => `true >${quoted(file)}`).join(" && ");
  const git = `${assigned(told)}command ${hasSession ? "setsid " : ""}${gitOf(args)}`;
  const run = piped(told, git, `>${quoted(out)} 2>${quoted(err)}`);
  return line(told, mark, made, hasSession ? `${run} & echo $! >${quoted(begun)}; wait $!; s=$?` : `${run}; s=$?`);
}
interface Own {
  readonly mark: string;
  readonly out: string;
  readonly err: string;
  readonly begun: string;
  readonly hasSession: boolean;
}

function line({ cwd }: Told, mark: string, made: string, done: string): string {
  const end = `printf '\\0%s %s\\n' ${mark}`;
  return `if cd -P ${quoted(cwd)} 2>/dev/null && ${made}; then ${done}; else s=126; fi; cd /; ${end} $s; ${end} 0 >&2\n`;
}

const piped = ({ input }: Told, git: string, into = ""): string =>
  input === undefined ? `${git} ${into} </dev/null` : `printf %s ${quoted(input)} | ${git} ${into}`;

const assigned = ({ env = {} }: Told): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${quoted(value)} `)
    .join("");
const gitOf = (args: readonly string[]): string => ["git", ...GIT_FLAGS, ...args].map(quoted).join(" ");
export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
