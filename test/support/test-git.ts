import { execFile } from "node:child_process";
import type { Git, GitOptions, GitResult } from "../../src/ports/system.ts";

const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: ":",
  LC_ALL: "C",
};

/** Git's command line without any configuration but the repository's: what a test says about git is true anywhere. */
export function testGit(): Git {
  const run: Git["run"] = (args, options) => new Promise((resolve) => start(args, options, resolve));
  return {
    run,
    async must(args, options) {
      const { code, stdout, stderr } = await run(args, options);
      if (code !== 0) throw new Error(`git ${args.join(" ")}: exit ${code}\n${stderr}`);
      return stdout.replace(/\n$/, "");
    },
    worktrees: (_repo, work) => work(),
  };
}

function start(args: readonly string[], options: GitOptions, resolve: (result: GitResult) => void): void {
  const child = execFile(
    "git",
    [...args],
    {
      cwd: options.cwd,
      env: { ...ENV, ...options.env },
      maxBuffer: 1 << 28,
      ...(options.signal && { signal: options.signal }),
      ...(options.timeoutMs && { timeout: options.timeoutMs }),
    },
    (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr: stderr || (code === -1 ? String(error) : "") });
    },
  );
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(options.input ?? "");
}
