// What it costs us to drive an agent that speaks ACP: 10,000 updates of 1 KB from a real process.
// npm run bench:agents -- [UPDATES]
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentFiles } from "../../src/adapters/acp/agent-files.ts";
import { driveAgent } from "../../src/adapters/acp/drive-agent.ts";
import { terminals } from "../../src/adapters/acp/terminals.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemFiles } from "../../src/adapters/system/files.ts";
import { progressTo } from "../../src/app/acp/progress-to.ts";
import { openCommands } from "../../src/app/commands.ts";
import { openEditor } from "../../src/app/editor.ts";
import type { SpawnOrder } from "../../src/ports/runtime.ts";
import { testAgent } from "../../test/support/acp-agent/program.ts";

const updates = Number(process.argv[2] ?? 10_000);
const KB = 1_000;

const top = mkdtempSync(join(tmpdir(), "pawl-bench-"));
const run = join(top, "run");
mkdirSync(run);
const order = { brief: { assignment: { agent_id: "bench", authorized_files: ["**"] } } } as unknown as SpawnOrder;
const progress = progressTo({ run, id: "bench", order, worktree: top, leg: "", bases: [], isJudge: false });
const editor = openEditor(top, () => null);

let lines = 0;
let progressWrites = 0;
const heap: number[] = [];
const every = Math.floor(updates / 10);
/** a tool call with a text of 1 KB in its title is one line of the log: what an update costs when all of it is used */
const step = { do: "tool", title: "x", size: KB, kind: "edit", times: updates } as const;
const env = { ...process.env, ACP_SCRIPT: JSON.stringify({ turns: [[step, { do: "plan", entries: [] }]] }) };

const wall = performance.now();
const cpu = process.cpuUsage();
const end = await driveAgent(
  {
    command: [process.execPath, await testAgent()],
    cwd: top,
    env,
    mode: null,
    model: null,
    permissions: {},
    before: null,
    version: "bench",
    mcpServers: [],
    words: () => ({ key: "bench", text: "go" }),
  },
  {
    files: agentFiles({ top, files: systemFiles(), editor, scope: () => null, quirks: [] }),
    terminals: terminals(top, openCommands(null, process.env)),
    clock: systemClock(),
    say() {
      lines += 1;
      if (lines % every !== 0) return;
      globalThis.gc?.();
      heap.push(Math.round(process.memoryUsage().heapUsed / 1024));
    },
    tell(doing) {
      progressWrites += 1;
      progress.tell(doing);
    },
    keep: () => {},
  },
  new AbortController().signal,
);
const used = process.cpuUsage(cpu);
const seconds = (performance.now() - wall) / 1_000;
rmSync(top, { recursive: true });

const ms = (used.user + used.system) / 1_000 / updates;
const growth = heap.at(-1)! / heap[1]!;
console.log(
  `updates          ${end.doing.calls} tool calls of ${KB} bytes, ${lines} lines of log, in ${seconds.toFixed(1)} s`,
);
console.log(`our CPU          ${ms.toFixed(3)} ms per update (bound: 5)`);
console.log(
  `heap             ${heap.map((kb) => `${(kb / 1024).toFixed(1)}`).join(" ")} MB at each tenth; last to second ${growth.toFixed(2)} (bound: 1.2)`,
);
console.log(`progress.json    ${progressWrites} writes, ${(progressWrites / seconds).toFixed(2)} a second (bound: 1)`);
process.exitCode = ms <= 5 && growth <= 1.2 && progressWrites <= Math.ceil(seconds) + 1 ? 0 : 1;
