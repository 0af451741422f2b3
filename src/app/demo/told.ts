import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fact } from "../../domain/fact.ts";
import type { TaskId } from "../../domain/names.ts";
import type { LoggedTick } from "../../ports/store.ts";
import { RUN_FILES, runFolderName } from "../../protocol/run-folder.ts";
import type { Stage } from "./stage.ts";
import type { Voice } from "./voice.ts";

/** Tells what this demo is about while it happens: the finding on its way into a prompt, the dependency, the conflict. */
export function teller(stage: Stage, { paint, tell }: Voice): (tick: LoggedTick) => void {
  const note = (...lines: readonly string[]): void => tell(...lines.map((line) => paint.cyan(`   ${line}`)));
  /** prompts that have to hold a finding, by the leg that gets them */
  const prompts = new Map<string, string>();
  const rejected = new Set<TaskId>();
  const resolving = new Set<TaskId>();

  const hear = (fact: Fact, facts: readonly Fact[]): void => {
    switch (fact.kind) {
      case "finding-opened": {
        const { source, label, text } = fact.finding;
        if (source !== "await-review") return;
        rejected.add(fact.task);
        return note(`> ${fact.task} does not pass the review. ${label}: ${text}`);
      }
      case "effect-intended":
        if (fact.intent.kind !== "spawn" || !rejected.delete(fact.task)) return;
        prompts.set(fact.intent.wish.leg, runFolderName(fact.intent.wish.leg, fact.intent.wish.phase));
        return;
      case "worker-spawned": {
        const folder = prompts.get(fact.leg);
        if (folder === undefined) return;
        const path = join(".pawl", "runs", fact.task, folder, RUN_FILES.prompt);
        const found = findingsIn(join(stage.shop, path));
        return note(`> Its next worker finds that in its prompt, ${path}:`, ...found.map((line) => `  | ${line}`));
      }
      case "task-picked-up":
        if (fact.task === "task-004")
          note("> task-001 is merged, and the merge is in the base: task-004 starts from it.");
        return;
      case "phase-entered":
        if (fact.cause === "CONFLICT") {
          resolving.add(fact.task);
          return note(
            `> ${fact.task} conflicts with main in ${conflictFiles(facts, fact.task).join(" and ")}.`,
            `  It goes to ${fact.phase} and is verified again; round ${fact.round} stays round ${fact.round}.`,
          );
        }
        if (fact.phase === "verify" && resolving.delete(fact.task))
          note(`> ${fact.task} is resolved, both sides are kept, and it is verified again.`);
        return;
      default:
        return;
    }
  };
  return ({ facts }) => {
    for (const fact of facts) hear(fact, facts);
  };
}

const conflictFiles = (facts: readonly Fact[], task: TaskId): readonly string[] =>
  facts.flatMap((fact) =>
    (fact.kind === "finding-opened" || fact.kind === "finding-repeated") && fact.task === task && fact.finding.file
      ? [fact.finding.file]
      : [],
  );

/** The open findings as they stand in a prompt, with their heading. */
function findingsIn(prompt: string): readonly string[] {
  if (!existsSync(prompt)) return [];
  const section = /^## Open findings.*\n(?:- .*\n?)+/m.exec(readFileSync(prompt, "utf8"))?.[0] ?? "";
  return section.trimEnd().split("\n");
}
