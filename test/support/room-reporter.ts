import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Seconds that the tests of a room may take on two cores. */
const BUDGET: Readonly<Record<string, number>> = {
  processor: 140,
  workspace: 100,
  worker: 120,
  device: 100,
  agents: 40,
};

const roomOf = (path: string): string => {
  if (
    /\/(src|test)\/(workspace|edit|index)\/|adapters\/(parser|code-tree|record-cache|system\/(command|ripgrep))|commands\/(exec|search)\./.test(
      path,
    )
  )
    return "workspace";
  if (/\/(src|test)\/(tactics|worker)\//.test(path)) return "worker";
  if (/\/(src|test)\/(device)\/|adapters\/bridges\//.test(path)) return "device";
  if (/\/test\/agents\/|adapters\/acp\//.test(path)) return "agents";
  return "processor";
};

/** Prints the time per room and one closing line, after vitest's own report. */
export default class RoomReporter implements Reporter {
  #start = 0;
  onTestRunStart(): void {
    this.#start = performance.now();
  }
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rooms = new Map<string, number>();
    const tests: TestCase[] = [];
    for (const module of modules) {
      const room = roomOf(module.moduleId);
      rooms.set(room, (rooms.get(room) ?? 0) + module.diagnostic().duration);
      tests.push(...module.children.allTests());
    }
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0).length;
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const wall = (performance.now() - this.#start) / 1000;
    const all = [...rooms.values()].reduce((sum, ms) => sum + ms, 0) || 1;
    // files run side by side: a room has its share of the time that all took together
    const lines = [...rooms].map(
      ([room, ms]) => `  ${room.padEnd(10)} ${((ms / all) * wall).toFixed(1).padStart(6)} s of ${BUDGET[room]} s`,
    );
    console.log(
      ["", "time per room", ...lines, `  all        ${wall.toFixed(1).padStart(6)} s of 600 s`, ""].join("\n"),
    );
    const leftOut = modules.reduce((sum, module) => sum + (module.meta().leftOut ?? 0), 0);
    if (leftOut > 0) console.log(`${leftOut} left out as they are long: npm run test:long has them`);
    console.log(`${count("passed")} passed, ${count("failed") + broken} failed, ${count("skipped")} skipped`);
  }
}
