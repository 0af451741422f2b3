import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../ports/clock.ts";
import type { Gates } from "../../ports/gates.ts";
import type { Probe } from "../../ports/probe.ts";
import type { Settings } from "../../ports/settings.ts";
import type { Git } from "../../ports/system.ts";
import { reviewerModel } from "../config/gate-models.ts";
import { packageRoot } from "../config/package-root.ts";
import { readPawlFile } from "../config/read-pawl-file.ts";
import { findByGit, patchByGit } from "./find-by-git.ts";
import { modelOwner } from "./model-owner.ts";
import { owners } from "./owners.ts";
import { rulesOwner } from "./rules-owner.ts";
import { suitesAt } from "./suites-at.ts";

interface On {
  readonly git: Git;
  readonly clock: Clock;
  readonly probe: Probe;
  /** what suites find in their environment */
  readonly env: Readonly<Record<string, string>>;
}

/** Who answers gates in a processor. Models and their keys are looked up when one is first asked. */
export function gatesFor({ repo, state }: Settings, { git, clock, probe, env }: On): Gates {
  const runSuites = suitesAt({ repo, folder: join(state, "gates"), git, env });
  const rules = rulesOwner({ clock, probe, find: findByGit({ repo, git, runSuites }) });
  const patchOf = patchByGit({ repo, git });
  return owners(rules, (name) => modelOwner({ clock, probe, patchOf, prompts, model: () => modelNamed(repo, name) }));
}

async function modelNamed(repo: string, name: string) {
  const { modelsFor } = await import("../worker/models.ts");
  const { file } = readPawlFile(repo, false);
  return modelsFor({ model: reviewerModel(file, name) ?? name }, file.models ?? {}, process.env).executor;
}

const prompts = () => ({ plan: promptNamed("plan-reviewer"), change: promptNamed("reviewer") });
const promptNamed = (name: string): string => readFileSync(join(packageRoot(), "prompts", `${name}.md`), "utf8");
