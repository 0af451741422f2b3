import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const GIT_ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.org",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.org",
};

/** Runs git, returns its output without the last newline; throws with stderr. */
export const git = (cwd: string, ...args: string[]): string => byShell(cwd, args, "</dev/null");

/** The same, told some lines of text. */
export const gitTold = (cwd: string, input: string, ...args: string[]): string =>
  byShell(cwd, args, `<<'end of input'\n${input}\nend of input`);

function byShell(cwd: string, args: readonly string[], input: string): string {
  shell ??= openShell();
  const words = ["git", ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const place = `'${resolve(cwd).replaceAll("'", "'\\''")}'`;
  writeSync(shell.told, `(cd -P ${place} && exec ${words}) 2>${shell.errors} ${input}\nprintf '\\0%s\\n' $?\n`);
  const { code, text } = answer(shell.said);
  if (code === 0) return text.replace(/\n$/, "");
  const stderr = readFileSync(shell.errors, "utf8");
  throw Object.assign(new Error(`Command failed: git ${args.join(" ")}\n${stderr}`), { status: code, stderr });
}

/** Up to a NUL, a number and a line end, which no text of git's ends with. */
function answer(from: number): { code: number; text: string } {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.alloc(64 * 1024);
    parts.push(part.subarray(0, readSync(from, part)));
    const all = Buffer.concat(parts);
    const end = /\0(\d{1,3})\n$/.exec(all.subarray(-6).toString("latin1"));
    if (end) return { code: Number(end[1]), text: all.subarray(0, all.length - end[0].length).toString() };
  }
}

interface Shell {
  /** file descriptors of its two pipes with names */
  readonly told: number;
  readonly said: number;
  /** file with what the last command said of its faults */
  readonly errors: string;
}
let shell: Shell | null = null;

/** A small process that starts git for this large one, whose fork would cost more than git. It ends when this one does. */
function openShell(): Shell {
  const folder = mkdtempSync(join(tmpdir(), "pawl-git-"));
  const [told, said] = [join(folder, "told"), join(folder, "said")];
  execFileSync("mkfifo", [told, said]);
  const out = openSync(said, "r+");
  const errors = join(folder, "errors");
  spawn("sh", [told], { cwd: "/", env: GIT_ENV, detached: true, stdio: ["ignore", out, "inherit"] }).unref();
  const into = openSync(told, "w");
  writeSync(into, `trap 'rm -rf ${folder}' EXIT\n`);
  return { told: into, said: out, errors };
}

/** Writes files (path -> text), folders made on the way. */
export function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
