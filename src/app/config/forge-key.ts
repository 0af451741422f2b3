import type { ForgeSpec, SignalSpec } from "../../ports/settings.ts";
import { type Decode, duration, line, oneOf, record } from "./decode.ts";
import { missingKey } from "./missing-key.ts";
import { schemaOf, shaped, TEXT } from "./schema-of.ts";
import { child, noteFault, type Spot } from "./spot.ts";

/** `forge:` of pawl.yaml. Beyond this machine it names the repository, and the variable in which the token is. */
export const forgeKey = (variable: Decode<string>): Decode<ForgeSpec> =>
  shaped(
    () => schemaOf(forgeKeys(variable)),
    (spot: Spot) => {
      const entry = forgeKeys(variable)(spot);
      if (entry === undefined) return undefined;
      if (entry.kind === undefined)
        return missingKey(spot, "kind", `${spot.path} needs kind: ${KINDS.join(", ")}`, {
          next: "write {kind: github, repo: OWNER/NAME}.",
        });
      if (entry.kind === "local") return { kind: "local" };
      const repo = repoOf(spot, entry.kind, entry.repo);
      if (repo === undefined || isNoApi(spot, entry.kind, entry.base_url)) return undefined;
      const { tokenEnv, baseUrl: usual } = USUAL_FORGE[entry.kind];
      return {
        ...{ kind: entry.kind, repo, tokenEnv: entry.token_env ?? tokenEnv, baseUrl: entry.base_url ?? usual },
        ...(entry.every === undefined ? {} : { everyMs: entry.every }),
      };
    },
  );

const forgeKeys = (variable: Decode<string>) =>
  record({ kind: oneOf(KINDS), repo: line, token_env: variable, base_url: baseUrl, every: duration });

const KINDS = ["local", "github", "gitlab"] as const;
export type AwayKind = "github" | "gitlab";
/** Where a forge is asked whose place is not written. */
export const USUAL_FORGE = {
  github: { tokenEnv: "GITHUB_TOKEN", baseUrl: "https://api.github.com" },
  gitlab: { tokenEnv: "GITLAB_TOKEN", baseUrl: "https://gitlab.com/api/v4" },
} as const satisfies Record<AwayKind, { tokenEnv: string; baseUrl: string }>;

/** How a repository is named: at GitLab with all the groups above it. */
const NAMES = {
  github: { form: /^[\w.-]+\/[\w.-]+$/, next: "write repo: OWNER/NAME." },
  gitlab: { form: /^[\w.-]+(\/[\w.-]+)+$/, next: "write repo: GROUP/NAME." },
} as const;

/** The repository that a key names; undefined, with a fault noted, where it names none. */
export function repoOf(spot: Spot, kind: AwayKind, repo: string | undefined): string | undefined {
  const { form, next } = NAMES[kind];
  if (repo === undefined)
    return missingKey(spot, "repo", `${spot.path} needs repo: the repository at the forge`, { next });
  if (form.test(repo) && !/(^|\/)\.{1,2}(\/|$)/.test(repo)) return repo.replace(/\.git$/, "");
  noteFault(child(spot, "repo"), "TYPE_BAD", `"${repo}" names no repository`, { next });
  return undefined;
}

/** The API of a GitLab is at one place below its address, whatever that is. */
export function isNoApi(spot: Spot, kind: AwayKind, url: string | undefined): boolean {
  if (kind !== "gitlab" || url === undefined || url.endsWith("/api/v4")) return false;
  const next = `write base_url: ${url}/api/v4.`;
  noteFault(child(spot, "base_url"), "TYPE_BAD", `${url} is no address of GitLab's API`, { next });
  return true;
}

/** The address of an API, with the token safe on its way: https, or a machine that is this one. */
export const baseUrl: Decode<string> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const written = line(spot);
    if (written === undefined) return undefined;
    const url = URL.canParse(written) ? new URL(written) : null;
    const isHere = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isHere);
    if (url && isSafe && url.username === "" && url.password === "" && url.search === "" && url.hash === "")
      return url.href.replace(/\/+$/, "");
    noteFault(spot, "TYPE_BAD", `${spot.path} has to be the https address of an API, without a name or a key in it`, {
      next: "write it like https://github.example.org/api/v3 or https://gitlab.example.org/api/v4.",
    });
    return undefined;
  },
);

/** Signals that a forge beyond this machine answers; `label:*` stands for each label that a map names. */
export function forgeSignals(
  forge: ForgeSpec | undefined,
  approved: { approvals?: number | undefined; from?: readonly string[] | undefined } | undefined,
): Readonly<Record<string, SignalSpec>> {
  if (forge === undefined || forge.kind === "local") return {};
  const approvals = { of: "approvals", approvals: approved?.approvals ?? 1, from: approved?.from ?? [] } as const;
  return {
    "pr-approved": { kind: "forge", name: "pr-approved", pr: true, asks: approvals },
    "ci-green": { kind: "forge", name: "ci-green", pr: true, asks: { of: "ci" } },
    [ANY_LABEL]: { kind: "forge", name: ANY_LABEL, pr: true, asks: { of: "label", label: "*" } },
  };
}
export const ANY_LABEL = "label:*";

/** What a map means by `signal label:NAME`; null: nothing of the kind. */
export const labelIn = (name: string): string | null => /^label:(\S{1,50})$/.exec(name)?.[1] ?? null;

/** Whether a forge beyond this machine answers that signal. */
export const isForges = (name: string): boolean =>
  name === "pr-approved" || name === "ci-green" || labelIn(name) !== null;

/** The signals that there are, with each label that maps wait for in the place of `label:*`. */
export function withLabels(
  signals: Readonly<Record<string, SignalSpec>>,
  named: readonly string[],
): Readonly<Record<string, SignalSpec>> {
  const { [ANY_LABEL]: any, ...others } = signals;
  if (any === undefined) return signals;
  const labels = named.flatMap((name): (readonly [string, SignalSpec])[] => {
    const label = others[name] ? null : labelIn(name);
    return label === null ? [] : [[name, { kind: "forge", name, pr: true, asks: { of: "label", label } }]];
  });
  return { ...others, ...Object.fromEntries(labels) };
}
