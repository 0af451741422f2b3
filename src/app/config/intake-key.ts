import type { Ms } from "../../domain/names.ts";
import type { IntakeSpec } from "../../ports/settings.ts";
import { ISSUE_PREFIX } from "../intake/issue-id.ts";
import { type Decode, duration, line, list, named, oneOrMore, record, yes } from "./decode.ts";
import { type AwayKind, baseUrl, isNoApi, repoOf } from "./forge-key.ts";
import { isGate, queryFault } from "./issue-query.ts";
import { isWritten, missingKey } from "./missing-key.ts";
import { either, schemaOf, shaped, words } from "./schema-of.ts";
import { child, itemsOf, noteFault, type Spot, textOf } from "./spot.ts";

/** `intake:` of pawl.yaml: `[{github: {repo: acme/shop, label: pawl, types: {bug: code_modify}, write_back: true}}]`. */
export function intakeKey(variable: Decode<string>): Decode<readonly IntakeSpec[]> {
  const keys = {
    ...{ repo: line, label: oneOrMore(line), query: line, types: named(line), prefix: line },
    ...{ write_back: yes, every, token_env: variable, base_url: baseUrl },
  };
  const whole = record({ github: record(keys), gitlab: record(keys) });
  const entry = (spot: Spot): IntakeSpec | undefined => {
    const read = whole(spot);
    const kinds = (["github", "gitlab"] as const).filter((kind) => read?.[kind] !== undefined);
    const [kind] = kinds;
    if (read === undefined) return undefined;
    if (kinds.length > 1) return notOne(spot);
    if (kind === undefined) return ["github", "gitlab"].some((key) => isWritten(spot, key)) ? undefined : notOne(spot);
    return specOf(child(spot, kind), kind, read[kind]!);
  };
  const entries = list(shaped(() => schemaOf(whole), entry));
  return shaped(
    () => schemaOf(entries),
    (spot: Spot) => apart(spot, entries(spot)),
  );
}

interface Keys {
  readonly repo: string | undefined;
  readonly label: readonly string[] | undefined;
  readonly query: string | undefined;
  readonly types: Readonly<Record<string, string>> | undefined;
  readonly prefix: string | undefined;
  readonly write_back: boolean | undefined;
  readonly every: Ms | null | undefined;
  readonly token_env: string | undefined;
  readonly base_url: string | undefined;
}

/** How often a running processor looks for new issues. */
const EVERY_MS = 5 * 60_000;

const every: Decode<Ms | null> = shaped(
  () => either(schemaOf(duration), words(["never"])),
  (spot: Spot) => (textOf(spot) === "never" ? null : duration(spot)),
);

function specOf(spot: Spot, kind: AwayKind, keys: Keys): IntakeSpec | undefined {
  const repo = repoOf(spot, kind, keys.repo);
  const { label = [], query = null, prefix = ISSUE_PREFIX[kind], every: often = EVERY_MS } = keys;
  const isPrefix = /^[A-Za-z0-9][A-Za-z0-9._-]{0,30}$/.test(prefix);
  if (!isPrefix)
    noteFault(child(spot, "prefix"), "TYPE_BAD", `"${prefix}" cannot be what ids begin with`, {
      next: "write it like shop-.",
    });
  const isKnown = isChosen(spot, kind, { label, query });
  if (repo === undefined || !isKnown || !isPrefix || isNoApi(spot, kind, keys.base_url)) return undefined;
  return {
    ...{ kind, repo, labels: label, query, types: keys.types ?? {}, prefix, writeBack: keys.write_back ?? false },
    ...{ everyMs: often, tokenEnv: keys.token_env ?? null, baseUrl: keys.base_url ?? null },
  };
}

/** A label is what somebody of the project puts there: without it, or the like, anybody who may open an issue could order work. */
function isChosen(
  spot: Spot,
  kind: AwayKind,
  { label, query }: { label: readonly string[]; query: string | null },
): boolean {
  const fault = query === null ? null : queryFault(kind, query);
  if (fault !== null) noteFault(child(spot, "query"), "TYPE_BAD", fault.why, { next: fault.next });
  if (fault !== null) return false;
  if (label.length > 0 || (query !== null && isGate(kind, query))) return true;
  const why = query === null ? "which issues become tasks" : "its query lets in what anybody may open";
  missingKey(
    spot,
    label.length === 0 && query === null ? ["label", "query"] : "label",
    `${spot.path} needs label: ${why}`,
    {
      key: false,
      next: "write label: pawl, which only people of the project can give to an issue.",
    },
  );
  return false;
}

function notOne(spot: Spot): undefined {
  noteFault(spot, "TYPE_BAD", `${spot.path} has to be github: or gitlab:, one of them`, {
    next: "write {github: {repo: OWNER/NAME, label: pawl}}.",
  });
  return undefined;
}

/** Two repositories whose issues would be the same tasks. */
function apart(spot: Spot, specs: readonly IntakeSpec[] | undefined): readonly IntakeSpec[] | undefined {
  const taken = new Set<string>();
  const isWhole = specs?.length === itemsOf(spot)?.length;
  for (const [at, { kind, prefix, repo }] of (specs ?? []).entries()) {
    if (taken.has(prefix.toLowerCase()))
      noteFault(
        isWhole ? child(itemsOf(spot)![at]!, kind) : spot,
        "TYPE_BAD",
        `the ids of issues of ${repo} begin with ${prefix}, and those of another repository do`,
        {
          next: "give it another prefix:.",
        },
      );
    taken.add(prefix.toLowerCase());
  }
  return specs;
}
