import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHost } from "../../src/adapters/agents/host.ts";
import type { RunEnd } from "../../src/domain/input.ts";
import { type LegKey, legKey, parseLeg, runKey, type TaskId } from "../../src/domain/names.ts";
import type { Runtime, SpawnOrder } from "../../src/ports/runtime.ts";
import { LEG_FILES, RUN_FILES } from "../../src/protocol/run-folder.ts";
import { type House, house, permit, until } from "../support/host.ts";
import { git } from "../support/scratch.ts";

/**
 * What an agent is to do. works: changes a file below src, and says how it goes. waits: the same, when the file GO is
 * there. refuses: says that it cannot be done. hangs: says nothing any more, and stays. strays: tries to change README.md
 * too. limited: its provider says 429, and to come back in an hour. keyless: it says 401. full: its context is.
 */
export const DEEDS = ["works", "waits", "refuses", "hangs", "strays", "limited", "keyless", "full"] as const;
export type Deed = (typeof DEEDS)[number];

/** An agent of one kind, whatever it is made of. */
export interface AgentSubject {
  readonly files?: Readonly<Record<string, string>>;
  /** its order for that task, made of one that has everything but a program */
  order(deed: Deed, plain: SpawnOrder, home: House): SpawnOrder;
  /** all that it was told, as text */
  told(task: string, home: House): string;
  close?(): Promise<void>;
}

/**
 * What every agent keeps to under a host, seen from the processor's side: its end, its files, its processes. Each deed is
 * one task; those that end by themselves run before the tests, a few at a time.
 */
export function agentContract(name: string, make: () => Promise<AgentSubject>): void {
  const at = realpathSync(mkdtempSync(join(tmpdir(), "pawl-test-")));
  const ends = new Map<Deed, RunEnd>();
  let home: House;
  let subject: AgentSubject;
  const orderOf = (deed: Deed, task: string): SpawnOrder => subject.order(deed, home.order({ task }), home);
  const runFile = (task: string, file: string) => join(home.parts.state, "runs", task, "01-implement-a1", file);
  const go = () => writeFileSync(join(home.repo, "..", "go"), "");

  beforeAll(async () => {
    subject = await make();
    home = await house({ at, files: { ...subject.files } });
    const through = async (deed: Deed) => void ends.set(deed, await lived(bounded(orderOf(deed, deed)), home.runtime));
    const queue = [
      ...DEEDS.filter((deed) => deed !== "waits").map((deed) => () => through(deed)),
      ...AT_WORK.map((task) => () => working(task)),
    ];
    const next = async () => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) await one();
    };
    await Promise.all([next(), next(), next()]);
  }, 150_000);
  afterAll(async () => {
    await home?.leaveNothing();
    await subject?.close?.();
    rmSync(at, { recursive: true, force: true, maxRetries: 3 });
  });

  describe(`an agent under a host: ${name}`, () => {
    it("works in a worktree of its own, on the task's branch: what it did is committed there, and nowhere else", () => {
      expect(ends.get("works")).toMatchObject({ how: "verdict", verdict: "PASS", change: { files: 1 } });
      expect(git(home.repo, "diff", "--name-only", "main...pawl/works")).toMatch(/^src\//);
      expect(git(home.repo, "status", "--short")).toBe("");
    });

    it("is told its task", () => {
      expect(subject.told("works", home)).toContain("works");
    });

    it("tells its progress, within the ranges of the protocol", () => {
      const told = readFileSync(runFile("works", RUN_FILES.progressLog), "utf8").trim().split("\n");
      const all = told.map((line) => JSON.parse(line) as { status: string; percent: number });
      expect(all.map(({ status }) => status)).toContain("implementing");
      for (const { status, percent } of all)
        if (status === "implementing") expect(percent >= 30 && percent <= 70).toBe(true);
    });

    it("ends with its own no, and why", () => {
      const end = ends.get("refuses");
      expect(end).toMatchObject({ how: "verdict", detail: expect.stringContaining("two sentences disagree") });
      expect(["FAIL", "BLOCKED"]).toContain(end?.how === "verdict" ? end.verdict : "");
    });

    it("that shows no sign of life is ended, and that is a stall", () => {
      expect(ends.get("hangs")).toMatchObject({ how: "no-verdict", cause: "stall" });
    });

    it("changes nothing outside the authorized files that would be taken", () => {
      const end = ends.get("strays");
      const changed = git(home.repo, "diff", "--name-only", "main...pawl/strays").split("\n").filter(Boolean);
      if (end?.how === "verdict" && end.verdict === "PASS")
        expect(changed.every((path) => path.startsWith("src/"))).toBe(true);
      else expect(end).toMatchObject({ verdict: "FAIL", detail: expect.stringContaining("README.md") });
    });

    it("whose provider has a limit waits until it says so, and has neither crashed nor failed", () => {
      const end = ends.get("limited");
      expect(end).toMatchObject({ how: "rate-limited", cause: "rate-limit" });
      const until = end?.how === "rate-limited" ? end.until! : 0;
      expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(600_000);
    });

    it("whose key is refused waits for a person; whose context is full begins anew", () => {
      expect(ends.get("keyless")).toMatchObject({ how: "auth", cause: "auth" });
      expect(ends.get("full")).toMatchObject({ how: "verdict", verdict: "FAIL", cause: "context-full" });
    });

    it("that is killed has crashed, and its work so far stays", async () => {
      const leg = legOf("dies");
      process.kill(claim("dies").agent.pid, "SIGKILL");
      await ended(leg, home.runtime);
      expect(await home.runtime.reap(leg, permit())).toMatchObject({ how: "no-verdict" });
      expect(existsSync(join(home.parts.state, "worktrees/dies"))).toBe(true);
    });

    it("that is stopped ends with all its processes", async () => {
      const leg = legOf("stops");
      await home.runtime.stop(leg, "stopped", permit());
      expect(await home.runtime.reap(leg, permit())).toMatchObject({ how: "stopped" });
      expect(await home.parts.processes.withEnv("PAWL_RUN_DIR", runFile("stops", "."))).toEqual([]);
    });

    it("whose driver is killed does not live on without one: it was killed, and that is nobody's crash", async () => {
      const leg = legOf("orphan");
      process.kill(claim("orphan").driver.pid, "SIGKILL");
      await ended(leg, home.runtime);
      expect(await home.runtime.reap(leg, permit())).toMatchObject({ how: "killed" });
    });

    it("outlives its processor: the next one adopts it, and nothing is done twice", async () => {
      const order = orderOf("waits", "adopted");
      await home.runtime.spawn(order, permit());
      const heir = createHost(home.parts);
      expect((await heir.look([order.wish.leg], permit())).get(order.wish.leg)).toMatchObject({ kind: "alive" });
      expect(await heir.spawn(order, permit())).toMatchObject({ kind: "done", found: true });
      go();
      expect(await lived(order, heir)).toMatchObject({ verdict: "PASS", change: { files: 1 } });
    });

    it("may say as much as it likes: its log holds what it may", () => {
      const log = readFileSync(runFile("works", join("leg-1", LEG_FILES.log)), "utf8");
      expect(log.replace(/\n\[pawl: \d+ bytes of \d+ are cut here\]\n/, "").length).toBeLessThanOrEqual(LOG_BYTES);
    });
  });

  const claim = (task: string) => JSON.parse(readFileSync(runFile(task, join("leg-1", LEG_FILES.claim)), "utf8"));

  /** At work, and its agent known. */
  async function working(task: string): Promise<void> {
    const order = orderOf("hangs", task);
    const patient = { ...order, brief: { ...order.brief, program: { ...order.brief.program, stallMs: null } } };
    await home.runtime.spawn(patient, permit());
    await until(() => subject.told(task, home).includes(task), "it was told its task");
    await until(() => claim(task).agent !== null, "its process is known");
  }
}

/** Tasks whose agents are at work when the tests begin: each of these is ended in another way. */
const AT_WORK = ["dies", "stops", "orphan"];
const legOf = (task: string): LegKey => legKey(runKey(task as TaskId, 1, 1), 1);

/** Less than any of them says. */
const LOG_BYTES = 64;
const bounded = (order: SpawnOrder): SpawnOrder => ({ ...order, brief: { ...order.brief, logBytes: LOG_BYTES } });

/** Its whole run: what it submits is agreed to, and its next leg goes on. */
async function lived(order: SpawnOrder, runtime: Runtime): Promise<RunEnd> {
  for (let now = order; ; ) {
    await runtime.spawn(now, permit());
    const gate = await ended(now.wish.leg, runtime);
    if (gate === null) return runtime.reap(now.wish.leg, permit());
    const { run, leg } = parseLeg(now.wish.leg);
    now = { ...order, wish: { ...order.wish, leg: legKey(run, leg + 1) } };
  }
}

/** Waits until it has ended, or is parked with an answer that it has not read; at its gate it is agreed to. */
async function ended(leg: LegKey, runtime: Runtime): Promise<number | null> {
  let answered = 0;
  let parked: number | null = null;
  await until(
    async () => {
      const seen = (await runtime.look([leg], permit())).get(leg);
      if (seen?.kind !== "gate") return seen?.kind === "ended";
      if (seen.seq > answered) {
        const name = String(seen.seq).padStart(3, "0");
        const kind = seen.gate === "GO" ? "PLAN_SUBMISSION" : "COMPLETION_REPORT";
        const answer = { message_type: seen.gate, in_reply_to: `${name}-${kind}.json`, by: "lead" };
        await runtime.deliver(leg, `${name}-${seen.gate}.json`, Buffer.from(JSON.stringify(answer)), permit());
        answered = seen.seq;
      }
      parked = seen.alive ? null : seen.seq;
      return parked !== null;
    },
    `${leg} has ended`,
    60_000,
  );
  return parked;
}
