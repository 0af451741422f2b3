import type { Limits } from "../domain/backlog.ts";
import type { NoticeEvent } from "../domain/intent.ts";
import type { Ms } from "../domain/names.ts";
import type { PhaseMap } from "../domain/phase.ts";
import type { Assignment } from "../protocol/assignment.ts";
import type { OutputFormat } from "../protocol/output-format.ts";
import type { Check, CommandLine } from "./runtime.ts";

export interface AgentSpec {
  readonly name: string;
  readonly command: CommandLine;
  readonly prompt: "file" | "stdin";
  readonly verdict: "file" | "exit_code" | "last_line" | "output";
  /** how its output is read; missing: it is only kept */
  readonly output?: OutputFormat;
  readonly stallMs: Ms | null;
  readonly env: Readonly<Record<string, string>>;
  /** names of variables that this agent gets beside those of `Settings.env`, and no other does: where its keys are */
  readonly passes: readonly string[];
  /** the screen that it works on (`adb:SERIAL`, `browser:URL`); missing: it works in the repository */
  readonly screen?: string;
}

export interface ActionSpec {
  readonly name: string;
  readonly command: CommandLine;
  readonly timeoutMs: Ms;
  readonly idempotent: boolean;
  /** says whether it happened: exit 0 yes, 1 no; null: nobody can say */
  readonly check: CommandLine | null;
  readonly pr: boolean;
}

export type SignalSpec =
  | {
      readonly kind: "human";
      readonly name: string;
      readonly pr: boolean;
      readonly from: readonly string[] /** absolute path */;
      readonly inbox: string;
    }
  | {
      readonly kind: "command";
      readonly name: string;
      readonly pr: boolean;
      readonly command: CommandLine;
      readonly everyMs: Ms;
    }
  /** answered on a pull request, at a forge beyond this machine; `from` empty: whoever works on the repository */
  | {
      readonly kind: "forge";
      readonly name: string;
      readonly pr: true;
      readonly asks:
        | { readonly of: "approvals"; readonly approvals: number; readonly from: readonly string[] }
        | { readonly of: "label"; readonly label: string }
        | { readonly of: "ci" };
    };

/** Where branches, pull requests and merges live. `repo` is `owner/name`, at GitLab with all groups; the token is in the variable `tokenEnv`. */
export type ForgeSpec =
  | { readonly kind: "local" }
  | {
      readonly kind: "github" | "gitlab";
      readonly repo: string;
      readonly tokenEnv: string;
      readonly baseUrl: string;
      /** how often it is asked what is new; missing: twice a minute */
      readonly everyMs?: Ms;
    };

/** Whose issues become tasks. Null: as `forge:` says where it is one of that kind, else the public one. */
export interface IntakeSpec {
  readonly kind: "github" | "gitlab";
  readonly repo: string;
  /** an issue has to have all of them */
  readonly labels: readonly string[];
  /** a search in the forge's own words: GitHub's syntax, GitLab's parameters; null: labels alone */
  readonly query: string | null;
  /** label -> task type; the first that an issue has counts */
  readonly types: Readonly<Record<string, string>>;
  /** what the ids of its tasks begin with: gh-12 */
  readonly prefix: string;
  /** whether each issue is told where its task is, in one comment */
  readonly writeBack: boolean;
  /** how often a running processor looks for new ones; null: only pawl sync does */
  readonly everyMs: Ms | null;
  readonly tokenEnv: string | null;
  readonly baseUrl: string | null;
}

/** Where forges may say that something happened; the secrets are in the variables of these names, null: none of that kind. */
export interface WebhooksSpec {
  readonly host: string;
  /** 0: one that is free */
  readonly port: number;
  readonly secretEnvs: Readonly<Record<"github" | "gitlab", string | null>>;
}

/** Where people are told. Address and secret are in the variables of these names; `events` null: all. */
export type ChannelSpec =
  | { readonly kind: "console" }
  | {
      readonly kind: "webhook";
      readonly urlEnv: string;
      readonly secretEnv: string | null;
      readonly events: readonly NoticeEvent[] | null;
    };

/** What pawl.yaml, the maps and the role files come to: checked, defaults filled, paths absolute. */
export interface Settings {
  /** absolute path of the main checkout */
  readonly repo: string;
  /** absolute path of .pawl */
  readonly state: string;
  readonly store: string;
  readonly limits: Limits;
  /** every map that a task uses, the default first */
  readonly maps: readonly PhaseMap[];
  /** agent names -> agent */
  readonly agents: Readonly<Record<string, AgentSpec>>;
  /** role -> agent name */
  readonly cast: Readonly<Record<string, string>>;
  /** role -> text of its Markdown file, without front matter */
  readonly roles: Readonly<Record<string, string>>;
  readonly actions: Readonly<Record<string, ActionSpec>>;
  readonly signals: Readonly<Record<string, SignalSpec>>;
  readonly checks: readonly Check[];
  readonly worktree: { readonly root: string; readonly setup: CommandLine | null; readonly copy: readonly string[] };
  /** environment variables that workers and commands get, by name */
  readonly env: readonly string[];
  readonly protect: readonly string[];
  readonly base: string;
  readonly branchPrefix: string;
  readonly forge: ForgeSpec;
  readonly channels: readonly ChannelSpec[];
  /** where task files lie, from the top of the repository */
  readonly tasks: string;
  /** whose issues become tasks, in `folder` from the top of the repository; missing: nobody's */
  readonly intake?: { readonly folder: string; readonly from: readonly IntakeSpec[] };
  /** missing: no hooks are taken */
  readonly webhooks?: WebhooksSpec;
  /** how often owners may send a plan or a report back; missing: twice each */
  readonly sendsBack?: NonNullable<Assignment["limits"]>;
}
