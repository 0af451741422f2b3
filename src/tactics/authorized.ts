import picomatch from "picomatch";
import type { Assignment } from "../protocol/assignment.ts";

/**
 * Whether a worker may change a path: its authorized files, the paths that its test delta names, and a build tool's lock
 * file beside a manifest that is authorized (architecture 9.2).
 */
export function authorized(assignment: Pick<Assignment, "authorized_files" | "test_delta">): (path: string) => boolean {
  const { authorized_files, test_delta } = assignment;
  const named = new Set([...test_delta.add, ...test_delta.update]);
  const fits = picomatch([...authorized_files], { dot: true, flags: "s" });
  const may = (path: string): boolean => named.has(path) || fits(path);
  return (path) => may(path) || manifestsOf(path).some(may);
}

/** The manifests that a lock file belongs to. */
const LOCKS: Readonly<Record<string, readonly string[]>> = {
  "package-lock.json": ["package.json"],
  "npm-shrinkwrap.json": ["package.json"],
  "yarn.lock": ["package.json"],
  "pnpm-lock.yaml": ["package.json"],
  "bun.lock": ["package.json"],
  "Cargo.lock": ["Cargo.toml"],
  "poetry.lock": ["pyproject.toml"],
  "uv.lock": ["pyproject.toml"],
  "Pipfile.lock": ["Pipfile"],
  "go.sum": ["go.mod"],
  "Gemfile.lock": ["Gemfile"],
  "composer.lock": ["composer.json"],
};

function manifestsOf(path: string): readonly string[] {
  const at = path.lastIndexOf("/") + 1;
  return (LOCKS[path.slice(at)] ?? []).map((name) => `${path.slice(0, at)}${name}`);
}
