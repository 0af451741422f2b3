import { execFileSync } from "node:child_process";
import type { Commit } from "../../src/domain/names.ts";

const REF = "refs/test/commits";

/** A commit on `parent` with these files changed (null: deleted), made without touching any branch or checkout. */
export function commitOn(repo: string, parent: string, files: Record<string, string | null>, title = "Work"): Commit {
  const changes = Object.entries(files).map(([path, text]) =>
    text === null ? `D ${JSON.stringify(path)}\n` : `M 100644 inline ${JSON.stringify(path)}\n${data(text)}`,
  );
  const who = "committer Test <test@example.org> 1700000000 +0100\n";
  const script = `commit ${REF}\nmark :1\n${who}${data(title)}from ${parent}\n${changes.join("")}\nget-mark :1\ndone\n`;
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const args = ["fast-import", "--quiet", "--done", "--force", "--date-format=raw"];
  return execFileSync("git", args, { cwd: repo, env, encoding: "utf8", input: script }).trim() as Commit;
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
