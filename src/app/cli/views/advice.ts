import { circling } from "../../../domain/findings.ts";
import type { Task } from "../../../domain/task.ts";
import { installOf, presetOf } from "../../config/presets.ts";
import { asksPerson, taskIn } from "./scene.ts";
import type { Case } from "./why.ts";

/** The line `next`: a command that can be pasted, or that there is nothing to do. */
export function adviceFor(one: Case): string {
  const { task, said, scene } = one;
  const { id } = task;
  const [first] = said.tasks;
  const retry = `pawl retry ${id}`;
  switch (said.code) {
    case "draft":
      return `take "draft: true" out of the file of ${id}`;
    case "deps":
      return said.owner === "human"
        ? `write ${first}, or take it out of deps of ${id}`
        : `nothing to do; pawl why ${first}`;
    case "stranded":
      return `${failedOf(one)}; pawl retry ${first}, or edit deps of ${hangingOf(one)}`;
    case "slot":
      return said.reason.startsWith("no free slot") ? "nothing to do; more at once: pawl run --workers N" : idle(one);
    case "touches":
      return `nothing to do; with narrower touches both would run side by side`;
    case "queue":
      return `nothing to do; pawl why ${first}`;
    case "no-map":
      return "pawl validate";
    case "backlog-budget":
      return said.owner === "human" ? "raise budgets.backlog in pawl.yaml; it goes on by itself" : idle(one);
    case "acting":
      return said.owner === "human" ? "pawl run" : idle(one);
    case "effect":
      return said.owner === "human" ? inTheWay(task, said.reason) : idle(one);
    case "action-wait":
      return said.owner === "human" ? retry : idle(one);
    case "question":
      return `pawl answer ${id} "…"`;
    case "running":
      return scene.sights.get(id)?.ended ? idle(one) : `pawl logs ${id} -f`;
    case "gate":
      return gate(one);
    case "pending":
    case "asking":
      return said.code === "pending" || asksPerson(task, scene.world)
        ? `pawl show ${id} --diff; pawl approve ${id} | pawl reject ${id} -m "…"`
        : idle(one);
    case "blocked":
      return `${findingsOf(task)}; pawl logs ${id}; when what blocks it is gone: ${retry}`;
    case "budget":
      return budget(one);
    case "findings":
      if (circling(task).length === 0) return `pawl logs ${id}; ${retry}`;
      return `pawl show ${id} --findings; pawl waive ${id} ${circling(task)[0]?.label ?? "F1"} -m "…" | ${retry}`;
    case "conflicts":
    case "crashes":
    case "mass-end":
      return `pawl logs ${id}; ${retry}`;
    case "infra":
    case "host":
      return said.owner === "human" ? `pawl doctor; ${retry}` : "nothing to do; if it stays so: pawl doctor";
    case "setup":
      return `${unprepared(task, said.reason)}; ${retry}`;
    case "rate-limited":
    case "provider-down":
      return `nothing to do; or name another agent in pawl.yaml, then ${retry}`;
    case "quota":
      return `pay for more, or name another agent in pawl.yaml; then ${retry}`;
    case "auth":
      return `give its agent the credential it needs, then ${retry}`;
    case "pr-closed":
      return `${retry} (opens a new one) | pawl cancel ${id} -m "…"`;
    case "base-dirty":
      return `${/: (git -C .* read-tree .*)$/.exec(said.reason)?.[1] ?? `commit what is changed in the checkout of ${task.terms.base}`}; it goes on by itself`;
    case "base-gone":
      return `git branch ${task.terms.base} COMMIT, then ${retry}`;
    case "action-unknown":
      return said.owner === "human" ? `see whether it happened; ${retry} runs it again` : idle(one);
    case "denied":
      return `put right what was refused, then ${retry}`;
    case "no-phase":
      return `give its map the phase ${task.phase} again, or ${retry} --from PHASE`;
  }
}

/** At its gate; where the rules look for themselves there is nothing to do. */
function gate({ task: { id, doing }, said, scene }: Case): string {
  if (doing.kind !== "at-gate" || said.owner !== "human") return scene.holder?.alive ? "nothing to do" : "pawl run";
  const [yes, no] = doing.gate === "GO" ? ["go", "feedback"] : ["next", "fix"];
  return `pawl show ${id} --plan; pawl ${yes} ${id} | pawl ${no} ${id} -m "…" | pawl block ${id} -m "…"`;
}

/** Something of a person's is where the task's has to go: its reason says how that goes away, and then it goes on by itself. */
function inTheWay({ id }: Task, reason: string): string {
  const [rename] = /\bgit (?:-C \S+ )?branch -m \S+ NEWNAME/.exec(reason) ?? [];
  const [, branch] =
    /\ba branch (\S+) (?:is |already)/.exec(reason) ?? /^spawn: there is a branch (\S+) already/.exec(reason) ?? [];
  const how = rename ?? (branch === undefined ? "do what it says" : `git branch -m ${branch} NEWNAME`);
  return `${how}; it goes on by itself (at once: pawl retry ${id})`;
}

/** What its worktree lacks: a script that nobody committed (its host says what to type), or what setup or the agent's command needs. */
function unprepared({ id }: Task, reason: string): string {
  const [, type] = /^\S+ is not committed on .*?: (git add [^\n]*)/.exec(reason) ?? [];
  if (type !== undefined) return type;
  const [, program] = /(\S+) cannot be started: /.exec(reason) ?? [];
  if (program !== undefined && presetOf([program]) !== null) return installOf(program);
  const where = /\b(could not|cannot) be started\b/.test(reason) ? "the command of its agent" : "worktree.setup";
  return `see ${where} in pawl.yaml; pawl logs ${id}`;
}

/** Where the findings are read, if there are any. */
export const findingsOf = ({ id, findings }: Pick<Task, "id" | "findings">): string =>
  `pawl show ${id}${findings.length === 0 ? "" : " --findings"}`;

function failedOf({ said, scene }: Case): string {
  const failed = taskIn(scene, said.tasks[0]!);
  return failed ? findingsOf(failed) : `pawl show ${said.tasks[0]}`;
}

/** Whose dependency it is that failed: of a chain the second one, which the others wait for. */
const hangingOf = ({ task, said }: Case): string =>
  said.tasks.length > 1 && said.tasks.at(-1) === task.id ? said.tasks[1]! : task.id;

const idle = ({ scene }: Case): string => (scene.holder?.alive ? "nothing to do" : "pawl run");

function budget({ task, said }: Case): string {
  const kind = /: (money|tokens|wall time|spawns)\b/.exec(said.reason)?.[1];
  const flag = { money: "--cost 5", tokens: "--tokens 500k", "wall time": "--time 1h", spawns: "--spawns 5" }[
    kind ?? ""
  ];
  return `pawl extend ${task.id} ${flag ?? "--cost 5"}`;
}
