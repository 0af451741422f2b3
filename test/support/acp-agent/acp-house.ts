import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { RunEnd } from "../../../src/domain/input.ts";
import type { Brief } from "../../../src/ports/runtime.ts";
import { LEG_FILES } from "../../../src/protocol/run-folder.ts";
import { type House, house, type Wanted } from "../host.ts";
import { testAgent } from "./program.ts";
import type { Script, Step } from "./script.ts";

/** What the agent was sent and did, in order. */
export interface Heard {
  readonly what: string;
  readonly [field: string]: unknown;
}

/** A host whose workers are the test agent, driven as pawl drives any agent that speaks ACP. */
export interface AcpHouse extends House {
  /** an order whose agent does that; `flags`: of pawl acp-worker */
  acp(script: Script | readonly Step[], wanted?: Wanted & { readonly flags?: readonly string[] }): Wanted;
  heard(task?: string): readonly Heard[];
  /** what stands in the log of a leg */
  log(task?: string, visit?: number): string;
  /** path of a file that a script may wait for */
  file(name: string): string;
}

export async function acpHouse(options: Parameters<typeof house>[0] = {}): Promise<AcpHouse> {
  const program = await testAgent();
  const home = await house(options);
  const scratch = join(home.repo, "..");
  const heardBy = (task: string) => join(scratch, `heard-${task}.jsonl`);
  return {
    ...home,
    file: (name) => join(scratch, name),
    heard(task = "task-1") {
      if (!existsSync(heardBy(task))) return [];
      return readFileSync(heardBy(task), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
    log: (task = "task-1", visit = 1) =>
      readFileSync(join(home.parts.state, "runs", task, `0${visit}-implement-a1`, "leg-1", LEG_FILES.log), "utf8"),
    acp(script, { flags = [], ...wanted } = {}) {
      const whole: Script = "turns" in script ? script : { turns: [script] };
      return {
        ...wanted,
        program: {
          ...programOf(program, whole, { flags, heard: heardBy(wanted.task ?? "task-1") }),
          ...wanted.program,
        },
      };
    },
  };
}

export const programOf = (
  program: string,
  script: Script,
  { flags, heard }: { readonly flags: readonly string[]; readonly heard: string },
): Partial<Brief["program"]> => ({
  command: [process.execPath, "dist/cli.mjs", "acp-worker", ...flags, "--", process.execPath, program].map((word, i) =>
    i === 1 ? join(process.cwd(), word) : word,
  ),
  env: { ACP_SCRIPT: JSON.stringify(script), ACP_HEARD: heard },
});

/** Each case as a task of its own, three at a time in one house before the tests: most of their time is waiting. */
export function acpEnds(cases: Readonly<Record<string, (home: AcpHouse) => Wanted>>): {
  home(): AcpHouse;
  end(name: string): RunEnd;
} {
  const at = realpathSync(mkdtempSync(join(tmpdir(), "pawl-test-")));
  const ends = new Map<string, RunEnd>();
  let home: AcpHouse | undefined;
  beforeAll(async () => {
    const made = await acpHouse({ at });
    home = made;
    const queue = Object.entries(cases);
    const go = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        ends.set(next[0], await made.through(next[1](made)));
    };
    await Promise.all([go(), go(), go()]);
  }, 300_000);
  afterAll(async () => {
    await home?.leaveNothing();
    rmSync(at, { recursive: true, force: true, maxRetries: 3 });
  });
  return {
    home: () => home!,
    end(name) {
      const end = ends.get(name);
      if (end === undefined) throw new Error(`${name} did not come through`);
      return end;
    },
  };
}
