import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeProject, type Project } from "./project.ts";
import type { AgentModel } from "./scripted-model.ts";

export interface CaseOn {
  /** a preset */
  readonly agent: string;
  readonly env: NodeJS.ProcessEnv;
  readonly model: AgentModel;
}

const yaml = (agent: string, more = ""): string =>
  `agents: {default: ${agent}, verifier: {command: [pawl, check]}}\nphases: auto\nchecks: ["grep -q hello hello.txt"]\nlimits: {max_task_rounds: 2}\n${more}`;

/** Ends what a case that was cut off left at work: workers outlive their processor. */
export function endWorkers(): void {
  for (const project of projects.splice(0)) {
    const pid = livingIn(project.repo) === "" ? null : project.agentPid();
    try {
      if (pid !== null) process.kill(-pid, "SIGKILL");
    } catch {
      // it has just gone by itself
    }
  }
}
const projects: Project[] = [];

function begun(text: string, env: NodeJS.ProcessEnv): Project {
  const project = makeProject(text, env);
  projects.push(project);
  return project;
}

/** What is tried with each agent: gives what was seen, or throws what was not. */
export const CASES = { merged, killed, cancelled, refused, "no key": keyless } as const;

/** From not-started to merged. */
async function merged({ agent, env, model }: CaseOn): Promise<string> {
  const project = begun(yaml(agent), env);
  await ended(project.run());
  mustBe(project, "completed");
  if (project.git("show", "main:hello.txt") !== "hello") throw new Error("hello.txt is not on main");
  const byUs = /^write {2}/m.test(project.log()) ? "writes through us" : "writes itself";
  return `works, ${byUs}, ${turns(model)} turns`;
}

/** Its whole group killed in the middle of a turn: the next run goes on, in the same session where it can. */
async function killed({ agent, env, model }: CaseOn): Promise<string> {
  model.hold(1);
  const project = begun(yaml(agent), env);
  const run = project.run();
  const over = ended(run);
  await until(() => turns(model) >= 2, "it has its first result", project);
  process.kill(-project.agentPid()!, "SIGKILL");
  const before = model.asked.length;
  model.hold(null);
  await over;
  mustBe(project, "completed");
  const asked = model.asked.slice(before).filter(({ tools }) => tools.length > 0);
  const isLoaded = /session \S+ of before$/m.test(project.log());
  return `works, ${isLoaded ? "session loaded" : "new session"}, ${asked.length} more turns`;
}

async function cancelled({ agent, env, model }: CaseOn): Promise<string> {
  model.hold(1);
  const project = begun(yaml(agent), env);
  const run = project.run();
  const over = ended(run);
  await until(() => turns(model) >= 2, "it has its first result", project);
  const since = performance.now();
  const { code, out } = project.pawl("cancel", "task-001", "-m", "not wanted", "--yes");
  if (code !== 0) throw new Error(`cancel: ${out}`);
  await over;
  mustBe(project, "failed");
  const left = livingIn(project.repo);
  if (left !== "") throw new Error(`left behind: ${left}`);
  return `works, gone after ${((performance.now() - since) / 1_000).toFixed(1)} s`;
}

/** Nothing may be edited nor run: nothing is, and the work comes back. */
async function refused({ agent, env }: CaseOn): Promise<string> {
  const no = `agents:\n  default: {acp: {preset: ${agent}, permissions: {edit: reject, execute: reject, other: reject}}}\n  verifier: {command: [pawl, check]}\n`;
  const project = begun(yaml(agent).replace(/^agents.*\n/, no), env);
  await ended(project.run());
  const wasAsked = /^leave {2}refused/m.test(project.log());
  if (!wasAsked) return "– it does not ask in this mode";
  mustBe(project, "failed");
  if (existsSync(join(project.repo, ".pawl/worktrees/task-001/hello.txt"))) throw new Error("it wrote all the same");
  return "works, asked and refused";
}

/** A provider that refuses the key is no crash: a person is waited for. */
async function keyless({ agent, env, model }: CaseOn): Promise<string> {
  model.fail(401);
  const project = begun(yaml(agent), env);
  await ended(project.run());
  const { out } = project.pawl("why", "task-001");
  if (/its worker: at work/.test(out)) return `– it still asks again by itself after ${MOST_MS / 60_000} minutes`;
  if (!/logged in|key|credential/i.test(out)) throw new Error(out.trim().split("\n").slice(0, 3).join(" / "));
  return "works, waits for a person";
}

const turns = ({ asked }: AgentModel): number => asked.filter(({ tools }) => tools.length > 0).length;

function mustBe(project: Project, wanted: string): void {
  const state = project.state();
  if (state !== wanted) throw new Error(`the task is ${state}, and not ${wanted}\n${project.log().slice(-3_000)}`);
}

const MOST_MS = 180_000;

async function ended(run: ChildProcess): Promise<void> {
  run.stdout?.resume();
  run.stderr?.resume();
  const late = setTimeout(() => run.kill("SIGTERM"), MOST_MS);
  await once(run, "exit");
  clearTimeout(late);
}

async function until(fact: () => boolean, what: string, project: Project): Promise<void> {
  for (const end = performance.now() + MOST_MS; !fact(); await new Promise((resolve) => setTimeout(resolve, 50)))
    if (performance.now() > end) throw new Error(`it never came true that ${what}\n${project.log().slice(-2_000)}`);
}

/** Processes that still work in there. */
const livingIn = (repo: string): string =>
  execFileSync(
    "sh",
    [
      "-c",
      `for p in /proc/[0-9]*; do case "$(readlink $p/cwd)" in ${repo}*) tr '\\0' ' ' < $p/cmdline;; esac; done; true`,
    ],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
