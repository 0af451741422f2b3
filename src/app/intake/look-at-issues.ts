import type { Issues } from "../../adapters/forge/remote/issue.ts";
import type { PawlError } from "../../domain/errors.ts";
import type { Ms } from "../../domain/names.ts";
import type { Looker } from "../../engine/look.ts";
import type { Probe } from "../../ports/probe.ts";
import type { IntakeSpec, Settings } from "../../ports/settings.ts";
import type { Bell } from "../bell.ts";
import { taskFolder } from "../config/task-folder.ts";
import { EDITED, type Step } from "./plan.ts";
import { carryOut, type Failed, type Intake, readRounds } from "./sync.ts";

/** A GitLab of many issues is asked for the links of each. */
const LONGEST_MS: Ms = 10 * 60_000;
/** What cannot be read is tried again after this time, or sooner where it is looked at more often. */
const AGAIN_MS: Ms = 60_000;
/** Without an intake that is looked at by itself. */
const NEVER_MS: Ms = 60 * 60_000;

/**
 * What `pawl sync` does, while a processor runs: new issues become task files, which it reads like any, and files follow
 * their issues. As `settings` say now; at once when the bell rings. What a person should know is told, each thing once.
 */
export function lookAtIssues(of: {
  readonly settings: () => Settings;
  readonly issuesFor: (spec: IntakeSpec) => Promise<Issues>;
  readonly bell: Bell;
  readonly probe: Probe;
  readonly tell?: ((word: string, text: string) => void) | undefined;
}): Looker {
  const files = new Map<string, NonNullable<Intake["files"]>>();
  const teller = createTeller(of);
  const look = async (signal: AbortSignal): Promise<Ms> => {
    const { repo, intake } = of.settings();
    const from = intake?.from.filter(({ everyMs }) => everyMs !== null) ?? [];
    if (intake === undefined || from.length === 0) return NEVER_MS;
    if (!files.has(repo)) files.set(repo, taskFolder(repo));
    const { folder } = intake;
    const read = await readRounds({ repo, folder, from, issuesFor: of.issuesFor, files: files.get(repo)!, signal });
    signal.throwIfAborted();
    for (const { spec, steps, missing } of read.rounds) {
      teller.readAgain(spec);
      if (missing !== null) teller.once(`issues of ${spec.kind} ${spec.repo}: ${missing}`);
      for (const step of steps) if (carryOut(repo, step) || step.does === "kept") teller.step(step);
    }
    for (const failed of read.failed) teller.failed(failed);
    return Math.min(...from.map(({ everyMs }) => everyMs!), ...read.failed.map(({ error }) => waitAfter(error)));
  };
  let looking: Promise<Ms> | null = null;
  return {
    name: "intake",
    deadlineMs: LONGEST_MS,
    rung: (signal) => of.bell.rings(signal),
    // one look at a time: two would write the same files
    once: ({ signal }) => {
      looking ??= look(signal).finally(() => {
        looking = null;
      });
      return looking;
    },
  };
}

const waitAfter = ({ code, data }: PawlError): Ms =>
  code === "FORGE_LIMITED" ? Math.max(1_000, Number(data.until) - Date.now()) : AGAIN_MS;

function createTeller({ probe, tell }: Pick<Parameters<typeof lookAtIssues>[0], "probe" | "tell">) {
  const told = new Set<string>();
  const broken = new Map<IntakeSpec["repo"], string>();
  // one line, whatever a title or the name of a file holds
  const say = (text: string) => tell?.("intake", text.replace(/\s+/g, " "));
  const once = (text: string) => {
    if (told.has(text)) return;
    told.add(text);
    say(text);
  };
  return {
    once,
    step({ does, file, taken, why }: Step): void {
      const more = why === null ? "" : `: ${why}`;
      // a file that was only edited here is nobody's trouble
      if (does === "kept") return why === EDITED ? undefined : once(`kept ${file}${more}`);
      probe.record({ event: "issue_taken", task_id: taken.id, file, does });
      say(`${does === "write" ? "wrote" : "updated"} ${file}, ${taken.issue.title}${more}`);
    },
    failed({ spec, error }: Failed): void {
      if (broken.get(spec.repo) === error.code) return;
      broken.set(spec.repo, error.code);
      probe.record({ event: "intake_failed", repo: spec.repo, error: error.message });
      say(`${error.message}; it is asked again`);
    },
    readAgain({ kind, repo }: IntakeSpec): void {
      if (broken.delete(repo)) say(`issues of ${kind} ${repo} are read again`);
    },
  };
}
