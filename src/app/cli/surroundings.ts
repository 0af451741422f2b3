import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Where a program is that would be started by this name, or null. */
export function programPath(name: string, env: Env, cwd: string): string | null {
  const places = name.includes("/")
    ? [isAbsolute(name) ? name : resolve(cwd, name)]
    : (env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  return places.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The program that a shell text starts, as far as that can be told: its first word that is no setting of a variable. */
export function programOf(command: string | readonly string[]): string | null {
  if (typeof command !== "string") return command[0] ?? null;
  const words = command.trim().split(/\s+/);
  const first = words.find((word) => !/^[A-Za-z_]\w*=/.test(word));
  return first === undefined || !/^[\w./@+-]+$/.test(first) || SHELL_WORDS.has(first) ? null : first;
}
const SHELL_WORDS = new Set([
  "if",
  "for",
  "while",
  "case",
  "cd",
  "set",
  "export",
  "exec",
  "eval",
  "test",
  "true",
  "false",
  ".",
  "source",
  "trap",
  "umask",
  "until",
  "printf",
  "echo",
]);

/** A command that tests this project, and the file that says so. */
export interface GuessedCheck {
  readonly run: string;
  readonly from: string;
}

/** What would prove work here, judged by the files of the usual build tools. */
export function guessChecks(repo: string): readonly GuessedCheck[] {
  const has = (file: string): boolean => existsSync(join(repo, file));
  const checks: GuessedCheck[] = [];
  if (npmTest(repo)) checks.push({ run: `${packageManager(has)} test`, from: "package.json" });
  if (has("Cargo.toml")) checks.push({ run: "cargo test", from: "Cargo.toml" });
  if (has("go.mod")) checks.push({ run: "go test ./...", from: "go.mod" });
  if (has("pyproject.toml") || has("pytest.ini") || has("setup.py"))
    checks.push({
      run: has("uv.lock") ? "uv run pytest" : "python3 -m pytest",
      from: has("pyproject.toml") ? "pyproject.toml" : has("pytest.ini") ? "pytest.ini" : "setup.py",
    });
  return checks;
}

/** What a fresh worktree needs before anything works in it; null: nothing that is known. */
export function guessSetup(repo: string): string | null {
  const has = (file: string): boolean => existsSync(join(repo, file));
  if (has("pnpm-lock.yaml")) return "pnpm install --frozen-lockfile";
  if (has("yarn.lock")) return "yarn install --immutable";
  return has("package-lock.json") ? "npm ci" : null;
}

const packageManager = (has: (file: string) => boolean): string =>
  has("pnpm-lock.yaml") ? "pnpm" : has("yarn.lock") ? "yarn" : "npm";

/** npm writes a test script of its own, which only says that there is none. */
function npmTest(repo: string): boolean {
  try {
    const { scripts } = JSON.parse(readFileSync(join(repo, "package.json"), "utf8")) as {
      scripts?: { test?: unknown };
    };
    return typeof scripts?.test === "string" && !/no test specified/.test(scripts.test);
  } catch {
    return false;
  }
}
