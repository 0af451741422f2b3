import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import picomatch from "picomatch";
import { runFolder } from "../../adapters/run-files/folder.ts";
import { openJournal } from "../../adapters/run-files/journal.ts";
import { fileLocks } from "../../adapters/store/file-lock.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { systemFiles } from "../../adapters/system/files.ts";
import { systemGit } from "../../adapters/system/git.ts";
import type { SearchSpec } from "../../adapters/tools/research/search-spec.ts";
import { PawlError } from "../../domain/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Model } from "../../ports/model.ts";
import type { Tool } from "../../ports/tool.ts";
import type { Assignment } from "../../protocol/assignment.ts";
import { WORKER_LIMITS, type WorkerLimits } from "../../tactics/action.ts";
import { authorized } from "../../tactics/authorized.ts";
import { type Chains, chainedOwner } from "../../tactics/chained-owner.ts";
import type { Desk } from "../../tactics/desk.ts";
import { makeWorkerHands } from "../../tactics/make-worker-hands.ts";
import { modelBeside } from "../../tactics/model-beside.ts";
import { rulesBeside } from "../../tactics/own-owner.ts";
import type { Asked } from "../../tactics/record.ts";
import { OWN_TOOLS } from "../../tactics/tool-names.ts";
import { planStoreTools } from "../../tactics/tools/plan-store.ts";
import { planTool } from "../../tactics/tools/plan-submit.ts";
import { reportTool } from "../../tactics/tools/report-submit.ts";
import { testTool } from "../../tactics/tools/test-run.ts";
import { refuseIncomplete, type WorkerEnd, work } from "../../tactics/worker.ts";
import type { Owner, Tree, WorkerHands } from "../../tactics/worker-hands.ts";
import type { WorkerState } from "../../tactics/worker-state.ts";
import type { Scope } from "../../workspace/edit/locate.ts";
import type { Hands } from "../../workspace/hands/hands.ts";
import { treeFaults, updatedTree } from "../../workspace/task-tree.ts";
import { editTool, writeTool } from "../../workspace/toolbox/edit-files.ts";
import { skillTool } from "../../workspace/toolbox/make-skill.ts";
import { mapTool } from "../../workspace/toolbox/map-files.ts";
import { readTool } from "../../workspace/toolbox/read-file.ts";
import { searchTool } from "../../workspace/toolbox/search-files.ts";
import { shellTool } from "../../workspace/toolbox/shell.ts";
import type { PawlFile } from "../config/pawl-file.ts";
import { openHands } from "../hands.ts";
import { endLeftovers, runMark } from "./leftovers.ts";
import { readMaterials } from "./materials.ts";
import { outsideTools } from "./outside-tools.ts";
import { offering } from "./served-tools.ts";

export interface WorkerOrder {
  readonly assignment: Assignment;
  /** absolute: the checkout that it works in, and the commit that its branch began on */
  readonly worktree: string;
  readonly baseCommit: string;
  /** absolute: the main checkout, whose pawl.yaml and index hold */
  readonly main: string;
  /** absolute: the run's folder, and the folder that run logs are kept in */
  readonly runDir: string;
  readonly logsDir: string;
  readonly leg: string;
  readonly models: Readonly<Record<Asked, Model>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** the remote that commits are pushed to; null: somebody else publishes */
  readonly remote: string | null;
  /** absolute folders in which own patterns, recipes and prompts lie, first found first */
  readonly materials: readonly string[];
  /** absolute: a folder of patterns alone, before all others */
  readonly patterns?: string;
  /** folders of skills, from the top of the checkout; new ones are made in the first */
  readonly skills?: readonly string[];
  /** who searches the internet; without it, pages are read all the same */
  readonly research?: SearchSpec;
  readonly limits?: Partial<WorkerLimits>;
  /** who answers gates, somewhere else; else `chains` says who, of those that are here */
  readonly owner?: Owner;
  /** default: the rules, at both gates */
  readonly chains?: Chains;
  /** owners of `chains` beside the rules: people, and models by their words (`model:NAME`) */
  readonly human?: Owner;
  readonly reviewers?: ReadonlyMap<string, Model>;
  /** servers of tools, as pawl.yaml names them; connected to at the start */
  readonly mcpServers?: PawlFile["mcp_servers"];
  /** tools beside those of the checkout */
  readonly tools?: readonly Tool[];
  /** whether task_tree.yaml is versioned with the work, or lies in the run folder */
  readonly tree: "branch" | "run";
  /** globs that may not be changed, whatever the assignment authorizes */
  readonly protect: readonly string[];
  readonly say: (line: string) => void;
  readonly clock?: Clock;
}

/** Introduces a worker to its checkout, its models and its owner, and lets it work. Everything is closed when it has ended. */
export async function runWorker(given: WorkerOrder, signal: AbortSignal): Promise<WorkerEnd> {
  const order = { ...given, env: { ...given.env, [runMark(given.runDir)]: "1" } };
  refuseIncomplete(order.assignment);
  mkdirSync(order.runDir, { recursive: true });
  for (const model of new Set(Object.values(order.models))) model.warm?.();
  const scope = scopeFor(order);
  const hands = await openHands({
    folder: order.worktree,
    main: order.main,
    env: order.env,
    scope,
    isOurs: true,
    quarantineDir: join(order.runDir, "quarantine"),
  });
  const file = join(order.runDir, "journal.jsonl");
  const journal = await openJournal(file, fileLocks());
  const clock = order.clock ?? systemClock();
  const left = await endLeftovers({ runDir: order.runDir, journal: file }, { clock: systemClock(), signal });
  if (left > 0) order.say(`ended     ${left} processes that this run left behind when it was killed`);
  const { main, env, assignment } = order;
  const outside = outsideTools({ main, task: assignment.task_id, env, clock, research: order.research ?? null });
  try {
    const served = await outside.serve(order.mcpServers);
    const files = systemFiles();
    const workerHands = makeWorkerHands({
      hands,
      files,
      scope,
      remote: order.remote,
      base: order.baseCommit,
      skills: skillFolders(order),
      atCommit: atCommit(order),
    });
    const desk: { now: Desk | null } = { now: null };
    const state = (): WorkerState => desk.now!.state!;
    const tools = toolsOf(order, { hands, workerHands, state, outside: [...outside.tools, ...served] });
    const now = () => new Date(desk.now!.now).toISOString();
    const known = new Set([...OWN_TOOLS, ...tools.keys()]);
    const materials = offering(readMaterials(order.materials, known, order.patterns), served);
    return await work(
      order.assignment,
      {
        models: order.models,
        tools,
        hands: workerHands,
        tree: treeFor(order),
        owner: order.owner ?? ownersBeside(order, { state, hands: workerHands, now, prompts: materials.prompts }),
        journal,
        folder: runFolder(order.runDir),
        logs: runFolder(order.logsDir),
        clock,
        materials,
        limits: { ...WORKER_LIMITS, compactAt: compactAt(order.models.executor.context), ...order.limits },
        runId: `r-${randomUUID()}`,
        leg: order.leg,
        say: order.say,
        atDesk: (opened) => {
          desk.now = opened;
        },
      },
      signal,
    );
  } finally {
    journal.close();
    await outside.close();
    await hands.close();
  }
}

/** The owners that are in this process, one after the other. */
function ownersBeside(
  { chains, human, reviewers = new Map() }: WorkerOrder,
  of: Omit<Parameters<typeof modelBeside>[0], "model"> & Parameters<typeof rulesBeside>[0],
): Owner {
  const models = [...reviewers].map(([word, model]) => [word, modelBeside({ ...of, model })] as const);
  const people = human === undefined ? [] : [["human", human] as const];
  return chainedOwner(chains ?? RULES, new Map([["rules", rulesBeside(of)], ...people, ...models]));
}
const RULES: Chains = { go: ["rules"], next: ["rules"] };

const skillFolders = ({ skills }: WorkerOrder): readonly string[] =>
  skills === undefined || skills.length === 0 ? [".claude/skills"] : skills;

/**
 * What the assignment authorizes, less what nobody may change. Where nobody else judges the change, the folder that
 * skills are made in is authorized too: a skill is kept by being committed.
 */
function scopeFor(order: WorkerOrder): Scope {
  const { assignment, protect, tree } = order;
  const may = authorized(assignment);
  const made = `${skillFolders(order)[0]}/`;
  const isProtected = picomatch([...protect], { dot: true, flags: "s" });
  return (path) => {
    if (tree === "branch" && path === TREE) return null;
    if (isProtected(path)) return `${path} is protected`;
    if (tree === "branch" && path.startsWith(made)) return null;
    return may(path) ? null : `this task may change ${assignment.authorized_files.join(" ")}`;
  };
}

/** The conversation, and an answer, have to fit with what stands before it. */
const compactAt = (context: number): number => Math.min(WORKER_LIMITS.compactAt, Math.floor(context * 0.5));

const TREE = "task_tree.yaml";

function treeFor({ tree, worktree, runDir }: WorkerOrder): Tree {
  const folder = runFolder(tree === "branch" ? worktree : runDir);
  return {
    read: () => folder.read(TREE),
    committed: tree === "branch" ? TREE : null,
    update(of) {
      try {
        const before = folder.read(TREE);
        const after = updatedTree(before, of);
        if (after !== before) folder.replace(TREE, after);
        const [fault] = treeFaults(after);
        return fault === undefined ? null : `TREE_BAD what people wrote in ${TREE} does not fit: ${fault}`;
      } catch (error) {
        if (error instanceof PawlError) return `${error.code} ${error.message}`;
        throw error;
      }
    },
  };
}

function toolsOf(
  order: WorkerOrder,
  of: { hands: Hands; workerHands: WorkerHands; state: () => WorkerState; outside: readonly Tool[] },
): ReadonlyMap<string, Tool> {
  const { hands, workerHands, state, outside } = of;
  const reading = { files: systemFiles(), top: hands.on.top, known: new Map<string, string>() };
  const all = [
    readTool(reading),
    searchTool(hands),
    editTool(hands, reading),
    writeTool(hands, reading),
    mapTool(hands),
    shellTool(hands),
    testTool(state, workerHands),
    planTool(state),
    reportTool(state, workerHands),
    skillTool({ hands, files: reading.files, top: reading.top, folder: skillFolders(order)[0]! }),
    ...planStoreTools(runFolder(join(order.runDir, ".."))),
    ...outside,
    ...(order.tools ?? []),
  ];
  return new Map(all.map((tool) => [tool.name, tool]));
}

/** A checkout of a commit beside the work, in the run's folder, for as long as it is used. */
const atCommit =
  ({ runDir, worktree, env }: WorkerOrder) =>
  async <T>(commit: string, use: (hands: Hands) => Promise<T>): Promise<T> => {
    const folder = join(mkdtempSync(join(runDir, "at-")), "checkout");
    const git = (args: readonly string[]) => systemGit().run(args, { cwd: worktree });
    const { code, stderr } = await git(["worktree", "add", "--quiet", "--detach", folder, commit]);
    if (code !== 0)
      throw new PawlError("CHECKOUT_FAILED", `no checkout of ${commit} could be made: ${stderr.trim()}`, {
        next: "see whether that commit is there",
      });
    const hands = await openHands({ folder, env, scope: () => null, isWatched: false });
    try {
      return await use(hands);
    } finally {
      await hands.close();
      await git(["worktree", "remove", "--force", folder]);
      rmSync(join(folder, ".."), { recursive: true, force: true });
    }
  };
