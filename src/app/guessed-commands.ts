import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

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
