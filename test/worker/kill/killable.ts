import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelRequest } from "../../../src/ports/model.ts";
import type { JournalRecord } from "../../../src/tactics/record.ts";
import { bundle } from "../../support/bundle.ts";
import { git, repository, scratch } from "../../support/scratch.ts";

const FILES = {
  "src/add.mjs": "export const add = (a, b) => a - b;\n",
  ".gitignore": ".pawl/\n",
  // a step writes its file; where it is told to, it kills the worker before it ends, and stays where it is told that
  "step.sh": `printf 'step %s\\n' "$1" > "src/step-$1.txt"
printf 'export const add = (a, b) => a + b;\\n' > src/add.mjs
if [ -f ../kill ] && read nth pid < ../kill && [ "$nth" = "$1" ]; then
  rm ../kill; kill -9 "$pid"
  if [ -f ../stay ]; then echo $$ > ../stays; exec sleep 300; fi
fi
echo "made $1"
`,
  "suite.sh": '[ -f src/step-1.txt ] || exit 0\n[ -f "src/step-$1.txt" ]\n',
};

export interface Ended {
  /** null: it was killed */
  readonly code: number | null;
  readonly stderr: string;
}

/** Workers that can be killed at a place. `name`: of the folder of their program, which is one test file's. */
export function killable(name: string, turns: number) {
  // below the package, as its maps and prompts are looked for from there up; not in dist/, which may be built anew meanwhile
  const out = `node_modules/.cache/${name}`;
  let model = "";
  return {
    built: () => bundle({ victim: "test/worker/kill/victim.ts" }, out),
    /** one life of it */
    run: (folder: string, ...place: string[]): Promise<Ended> =>
      new Promise((resolve) => {
        const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
        const args = [`${out}/victim.mjs`, folder, String(turns), ...place];
        execFile(process.execPath, args, { env }, (error, _, stderr) =>
          resolve({ code: error ? (typeof error.code === "number" ? error.code : null) : 0, stderr }),
        );
      }),
    /** a folder with its repository, in which nothing was done yet */
    fresh(): string {
      const folder = scratch();
      model = repository(FILES).repo;
      cpSync(model, join(folder, "repo"), { recursive: true });
      mkdirSync(join(folder, "logs"));
      writeFileSync(join(folder, "base"), git(join(folder, "repo"), "rev-parse", "HEAD"));
      return folder;
    },
  };
}

const jsonLines = <T>(file: string): readonly T[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line) as T] : []))
    : [];
export const journal = (folder: string): readonly JournalRecord[] => jsonLines(join(folder, "run", "journal.jsonl"));
export const requests = (folder: string): readonly ModelRequest[] => jsonLines(join(folder, "requests.jsonl"));
