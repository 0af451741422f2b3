import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { house, permit, until, worker } from "../../../test/support/host.ts";
import { git } from "../../../test/support/scratch.ts";
import type { LegKey } from "../../domain/names.ts";
import type { Git } from "../../ports/system.ts";
import { createHost } from "./host.ts";
import { type Claim, DRIVER_ENV, driverMark } from "./leg.ts";
import type { HostParts } from "./parts.ts";

const LEG = "task-1/1/1.1" as LegKey;
const folderOf = ({ state }: HostParts) => join(state, "runs/task-1/01-implement-a1/leg-1");
const claimOf = (parts: HostParts): Claim => JSON.parse(readFileSync(join(folderOf(parts), "claim.json"), "utf8"));
const starts = (repo: string) =>
  readFileSync(join(dirname(repo), "started"), "utf8")
    .trim()
    .split("\n").length;

/** A house with one worker that waits, and has a child in a session of its own. */
async function waiting() {
  const home = await house();
  const command = `setsid sleep 300 >/dev/null 2>&1 </dev/null & exec ${worker("waits").join(" ")}`;
  const wanted = home.order({ program: { command } });
  await home.runtime.spawn(wanted, permit());
  await until(() => existsSync(join(dirname(home.repo), "started")), "the worker began");
  await until(() => claimOf(home.parts).agent !== null, "the claim names the agent");
  return { ...home, wanted };
}

describe("a driver that was killed", () => {
  it("leaves a group that is ended before its leg is said to have ended", async () => {
    const { parts, runtime } = await waiting();
    const { driver, agent } = claimOf(parts);
    await parts.processes.signal(driver, "SIGKILL", "process");
    await until(async () => (await parts.processes.lives(driver)) === "gone", "the driver is gone");
    expect(await parts.processes.lives(agent!)).toBe("alive");
    expect((await runtime.look([LEG], permit())).get(LEG)).toEqual({ kind: "ended", driver: "gone" });
    expect(await parts.processes.withEnv("PAWL_RUN_DIR", dirname(folderOf(parts)))).toEqual([]);
    const end = await runtime.reap(LEG, permit());
    expect(end).toMatchObject({ how: "killed", by: "kill", detail: expect.stringContaining("nothing says by whom") });
    expect(await createHost(parts).reap(LEG, permit())).toEqual(end);
  });

  it("is the machine's doing where its driver ran before the machine was started anew", async () => {
    const { parts, runtime } = await waiting();
    const claim = claimOf(parts);
    await parts.processes.signal(claim.driver, "SIGKILL", "process");
    await until(async () => (await runtime.look([LEG], permit())).get(LEG)?.kind === "ended", "it ended");
    const before = { ...claim, driver: { ...claim.driver, bootId: "an earlier one" } };
    writeFileSync(join(folderOf(parts), "claim.json"), JSON.stringify(before));
    expect(await runtime.reap(LEG, permit())).toMatchObject({ how: "killed", by: "reboot" });
  });

  it("costs the time up to its last sign of life, however late it is found", async () => {
    const { parts, runtime } = await waiting();
    await parts.processes.signal(claimOf(parts).driver, "SIGKILL", "process");
    await until(async () => (await runtime.look([LEG], permit())).get(LEG)?.kind === "ended", "it ended");
    const clock = {
      ...parts.clock,
      read: () => ({ ...parts.clock.read(), wall: parts.clock.read().wall + 3_600_000 }),
    };
    const { usage } = await createHost({ ...parts, clock }).reap(LEG, permit());
    expect(usage.wallMs).toBeGreaterThan(0);
    expect(usage.wallMs).toBeLessThan(40_000);
  });

  it("keeps a verdict that was written whole", async () => {
    const { parts, runtime, order } = await house();
    const said = join(folderOf(parts), "../verdict.json");
    const command = `printf '{"verdict":"FAIL","detail":"half done"}' >"$PAWL_RUN_DIR/verdict.json"; sleep 300`;
    await runtime.spawn(order({ program: { command } }), permit());
    await until(() => existsSync(said), "it said so");
    await parts.processes.signal(claimOf(parts).driver, "SIGKILL", "process");
    await until(async () => (await runtime.look([LEG], permit())).get(LEG)?.kind === "ended", "it ended");
    expect(await runtime.reap(LEG, permit())).toMatchObject({ how: "verdict", detail: "half done" });
  });

  it("hides the end of a user's command: its exit code is not known", async () => {
    const { parts, runtime, order } = await house();
    await runtime.spawn(order({ purpose: "action", program: { command: "sleep 300", verdict: "exit" } }), permit());
    await parts.processes.signal(claimOf(parts).driver, "SIGKILL", "process");
    await until(async () => (await runtime.look([LEG], permit())).get(LEG)?.kind === "ended", "it ended");
    expect(await runtime.reap(LEG, permit())).toMatchObject({ how: "exit", code: null });
  });

  it("in the instant in which it begins its agent leaves a child that carries only the driver's own mark: it is ended too", async () => {
    const { parts, runtime, order } = await house();
    const [file, ...args] = [process.execPath, "-e", "setInterval(() => {}, 1000)"];
    await createHost({ ...parts, driver: ["sh", "-c", "exit 1", "sh"] }).spawn(order(), permit());
    const env = { ...process.env, [DRIVER_ENV]: driverMark(parts.state, LEG) };
    const driver = spawn(file!, args, { env, detached: true, stdio: "ignore" });
    const child = spawn(file!, args, { cwd: parts.state, env, detached: true, stdio: "ignore" });
    const who = (await parts.processes.identity(driver.pid!)) as Claim["driver"];
    const claim: Claim = { leg: LEG, driver: who, agent: null, at: Date.now(), before: { verdict: null, usage: null } };
    writeFileSync(join(folderOf(parts), "claim.json"), JSON.stringify(claim));
    driver.kill("SIGKILL");
    await once(driver, "exit");
    expect((await runtime.look([LEG], permit())).get(LEG)).toEqual({ kind: "ended", driver: "gone" });
    expect(await parts.processes.identity(child.pid!)).toBe("gone");
  });

  it("while somebody stops the leg: what is left is stopped, and the end is stopped", async () => {
    const { parts, runtime } = await waiting();
    await parts.processes.signal(claimOf(parts).driver, "SIGKILL", "process");
    expect(await runtime.stop(LEG, "cancel", permit())).toMatchObject({ kind: "done" });
    expect(await parts.processes.withEnv("PAWL_RUN_DIR", dirname(folderOf(parts)))).toEqual([]);
    expect(await runtime.reap(LEG, permit())).toMatchObject({ how: "stopped", detail: "stopped (cancel)" });
  });

  it("told to end (SIGTERM) it ends its leg first", async () => {
    const { parts, runtime, ended } = await waiting();
    await parts.processes.signal(claimOf(parts).driver, "SIGTERM", "process");
    await ended(LEG);
    expect(await runtime.reap(LEG, permit())).toMatchObject({ how: "stopped" });
  });
});

describe("a pid that is used again", () => {
  it("is not ours where the start time differs: gone, and nothing is killed", async () => {
    const { parts, runtime, order } = await house();
    const stranger = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    const who = await parts.processes.identity(stranger.pid!);
    if (typeof who === "string") throw new Error("it cannot be seen");
    await runtime.spawn(order({ program: { command: "exit 3" } }), permit());
    await until(() => existsSync(join(folderOf(parts), "ended.json")), "it ended");
    rmSync(join(folderOf(parts), "ended.json"));
    const forged: Claim = { ...claimOf(parts), driver: { ...who, startedAt: "1" }, agent: { ...who, startedAt: "2" } };
    writeFileSync(join(folderOf(parts), "claim.json"), JSON.stringify(forged));
    expect((await runtime.look([LEG], permit())).get(LEG)).toEqual({ kind: "ended", driver: "gone" });
    const rebooted: Claim = { ...forged, driver: { ...who, bootId: "another" }, agent: { ...who, bootId: "another" } };
    writeFileSync(join(folderOf(parts), "claim.json"), JSON.stringify(rebooted));
    expect((await runtime.look([LEG], permit())).get(LEG)).toEqual({ kind: "ended", driver: "gone" });
    expect(await parts.processes.lives(who)).toBe("alive");
  });

  it("that cannot be seen, or a claim that cannot be read, is unknown and left alone", async () => {
    const { parts, runtime } = await waiting();
    const blind = createHost({ ...parts, processes: { ...parts.processes, lives: async () => "unknown" } });
    expect((await blind.look([LEG], permit())).get(LEG)).toMatchObject({ kind: "unknown" });
    const claim = readFileSync(join(folderOf(parts), "claim.json"));
    writeFileSync(join(folderOf(parts), "claim.json"), Buffer.alloc(claim.length));
    expect((await runtime.look([LEG], permit())).get(LEG)).toMatchObject({ kind: "unknown" });
    writeFileSync(join(folderOf(parts), "claim.json"), claim);
    await runtime.stop(LEG, "stopped", permit());
  });
});

describe("a spawn that was cut off", () => {
  it.each(["worktree", "run folder"])("after the %s is finished by the next one", async (after) => {
    const { repo, parts, order, ended, runtime } = await house();
    const cut = new AbortController();
    const must: Git["must"] = async (args, options) => {
      const made = await parts.git.must(args, options);
      if (args[1] === "add") throw new Error("killed here");
      return made;
    };
    const dying = createHost(
      after === "worktree"
        ? { ...parts, git: { ...parts.git, must } }
        : { ...parts, driver: ["sh", "-c", "sleep 300 & wait", "sh"] },
    );
    const wanted = order({ program: { command: worker("waits") } });
    const cutOff = expect(dying.spawn(wanted, { epoch: 1, signal: cut.signal })).rejects.toThrow();
    const hangs = async () => (await parts.processes.within(parts.state)).length > 1;
    if (after === "run folder") await until(hangs, "the driver hangs, and its child");
    if (after === "run folder") cut.abort();
    await cutOff;
    for (const who of await parts.processes.within(parts.state)) {
      await parts.processes.signal(who, "SIGKILL", "process");
    }
    expect(existsSync(join(parts.worktreeRoot, "task-1/.git"))).toBe(true);
    expect(await runtime.spawn(wanted, permit())).toMatchObject({ kind: "done", found: false });
    writeFileSync(join(dirname(repo), "go"), "");
    await ended(LEG);
    expect(starts(repo)).toBe(1);
  });

  it("in the middle of making the worktree is made anew, and a file in it is kept aside", async () => {
    const { repo, parts, through } = await house();
    const path = join(parts.worktreeRoot, "task-1");
    git(repo, "worktree", "add", "-q", "--lock", "--reason", "initializing", "-b", "pawl/task-1", path);
    rmSync(join(path, "src"), { recursive: true });
    writeFileSync(join(path, "mine.txt"), "keep me");
    expect(await through({})).toMatchObject({ verdict: "PASS", change: { files: 1 } });
    const [aside] = readdirSync(join(parts.worktreeRoot, ".aside"));
    expect(readFileSync(join(parts.worktreeRoot, ".aside", aside ?? "", "mine.txt"), "utf8")).toBe("keep me");
  });

  it("whose driver cannot start is later, and says what it said", async () => {
    const { parts, order } = await house();
    const host = createHost({ ...parts, driver: ["sh", "-c", "echo no such library >&2; exit 9", "sh"] });
    expect(await host.spawn(order(), permit())).toMatchObject({
      kind: "later",
      owner: "host",
      detail: "its driver ended with exit 9 before it began: no such library",
    });
    const nowhere = createHost({ ...parts, driver: ["no-such-driver"] });
    expect(await nowhere.spawn(order(), permit())).toMatchObject({ kind: "later", owner: "host" });
  });

  it("and stopped before it began never begins, however late its driver comes", async () => {
    const { repo, parts, order, runtime } = await house();
    const host = createHost({ ...parts, driver: ["sh", "-c", "exit 1", "sh"] });
    const wanted = order({ program: { command: worker("waits") } });
    await host.spawn(wanted, permit());
    expect(await runtime.stop(LEG, "cancel", permit())).toMatchObject({ kind: "done" });
    expect(await runtime.spawn(wanted, permit())).toMatchObject({ kind: "done", found: true });
    expect(await runtime.reap(LEG, permit())).toMatchObject({ how: "stopped" });
    expect(existsSync(join(dirname(repo), "started"))).toBe(false);
  });
});

describe("many at once", () => {
  it("six drivers on one leg: one of them drives it, the others end at once", async () => {
    const { repo, parts, order, runtime } = await house();
    const never = createHost({ ...parts, driver: ["sh", "-c", "exit 1", "sh"] });
    await never.spawn(order({ program: { command: worker("waits") } }), permit());
    const [file, ...args] = parts.driver as [string, ...string[]];
    const drivers = [1, 2, 3, 4, 5, 6].map(() => once(spawn(file, [...args, folderOf(parts)]), "exit"));
    await Promise.race(drivers);
    await until(() => existsSync(join(dirname(repo), "started")), "one began");
    writeFileSync(join(dirname(repo), "go"), "");
    expect(await Promise.all(drivers)).toEqual(Array(6).fill([0, null]));
    expect(starts(repo)).toBe(1);
    expect(await runtime.reap(LEG, permit())).toMatchObject({ verdict: "PASS" });
  });

  it("eight tasks begin in one repository while its configuration is locked for a moment", async () => {
    const { repo, runtime, order, ended } = await house();
    const lock = join(repo, ".git/config.lock");
    writeFileSync(lock, "");
    setTimeout(() => rmSync(lock), 600);
    const orders = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => order({ task: `task-${n}` }));
    const results = await Promise.all(orders.map((one) => runtime.spawn(one, permit())));
    expect(results.map(({ kind }) => kind)).toEqual(Array(8).fill("done"));
    await Promise.all(orders.map((one) => ended(one.wish.leg)));
    const ends = await Promise.all(orders.map((one) => runtime.reap(one.wish.leg, permit())));
    expect(ends.map((end) => end.how === "verdict" && end.verdict)).toEqual(Array(8).fill("PASS"));
    expect(git(repo, "branch", "--list", "pawl/*").split("\n")).toHaveLength(8);
  });

  it("a later leg of a run does not take the verdict of the one before it for its own", async () => {
    const { through } = await house();
    expect(await through({})).toMatchObject({ verdict: "PASS" });
    const second = await through({ n: 2, program: { command: 'test "$PAWL_RESUME" = 1 || exit 8; exit 6' } });
    expect(second).toMatchObject({ how: "no-verdict", detail: expect.stringContaining("(exit 6)"), usageKnown: false });
  });
});

it("a reap of what still lives is refused, and of what never was is lost", async () => {
  const { runtime } = await waiting();
  await expect(runtime.reap(LEG, permit())).rejects.toMatchObject({ code: "LEG_ALIVE" });
  expect(await runtime.reap("task-9/1/1.1" as LegKey, permit())).toMatchObject({ how: "lost" });
  await runtime.stop(LEG, "stopped", permit());
});
