import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentSubject, Deed } from "../../contracts/agent.contract.ts";

const WORK = "mkdir -p src && echo b > src/b.txt";
const fails = (words: string): string => `echo "error: ${words}"; exit 1`;

/** What a plain script does for each deed. */
const SCRIPTS: Readonly<Record<Deed, string>> = {
  works: `"$NODE" "$CLI" progress --status implementing --percent 50 --activity codemod; ${WORK}; echo "verdict: PASS done"`,
  waits: `while [ ! -e "$GO" ]; do sleep 0.05; done; ${WORK}; echo "verdict: PASS done"`,
  refuses: 'echo "verdict: FAIL two sentences disagree"',
  hangs: "exec sleep 600",
  strays: `${WORK}; echo theirs > README.md; echo "verdict: PASS done"`,
  limited: fails("429 Too Many Requests, retry after 3600"),
  keyless: fails("401 Unauthorized: invalid x-api-key"),
  full: fails("prompt is too long: 210000 tokens > 200000 maximum"),
};

/** A shell script that knows nothing of us but what it finds in its environment; its verdict by a rule over its output. */
export const commandSubject = async (): Promise<AgentSubject> => ({
  order: (deed, { wish, brief }, home) => ({
    wish,
    brief: {
      ...brief,
      program: {
        ...brief.program,
        command: `cp "$PAWL_PROMPT" "$TOLD-$PAWL_TASK"; ${SCRIPTS[deed]}`,
        verdict: "output",
        stallMs: deed === "hangs" ? 1_500 : null,
        output: {
          format: "text",
          message: { match: "^verdict: \\w+ (.*)" },
          error: { match: "^error: (.*)" },
          verdict: { PASS: { match: "^verdict: PASS" }, FAIL: { match: "^verdict: FAIL" } },
        },
        env: {
          ...brief.program.env,
          NODE: process.execPath,
          CLI: resolve("dist/cli.mjs"),
          TOLD: join(home.repo, "../told"),
        },
      },
    },
  }),
  told(task, { repo }) {
    const path = join(repo, `../told-${task}`);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  },
});
