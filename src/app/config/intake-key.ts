import { ISSUE_PREFIX } from "../intake/issue-id.ts";
import { type Decode, line, list, named, oneOrMore, record, yes } from "./decode.ts";
import { type AwayKind, baseUrl, isNoApi, repoOf } from "./forge-key.ts";
import { schemaOf, shaped } from "./schema-of.ts";
import { child, noteFault, type Spot } from "./spot.ts";

/** Whose issues become tasks. Null: as `forge:` says where it is one of that kind, else the public one. */
export interface IntakeSpec {
  readonly kind: AwayKind;
  readonly repo: string;
  /** an issue has to have all of them */
  readonly labels: readonly string[];
  /** label -> task type; the first that an issue has counts */
  readonly types: Readonly<Record<string, string>>;
  /** what the ids of its tasks begin with: gh-12 */
  readonly prefix: string;
  /** whether each issue is told where its task is, in one comment */
  readonly writeBack: boolean;
  readonly tokenEnv: string | null;
  readonly baseUrl: string | null;
}

/** `intake:` of pawl.yaml: `[{github: {repo: acme/shop, label: pawl, types: {bug: code_modify}, write_back: true}}]`. */
export function intakeKey(variable: Decode<string>): Decode<readonly IntakeSpec[]> {
  const keys = {
    ...{ repo: line, label: oneOrMore(line), types: named(line), prefix: line },
    ...{ write_back: yes, token_env: variable, base_url: baseUrl },
  };
  const whole = record({ github: record(keys), gitlab: record(keys) });
  const entry = (spot: Spot): IntakeSpec | undefined => {
    const read = whole(spot);
    const kinds = (["github", "gitlab"] as const).filter((kind) => read?.[kind] !== undefined);
    const [kind] = kinds;
    if (read === undefined || kind === undefined || kinds.length > 1) return notOne(spot, read !== undefined);
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
  readonly types: Readonly<Record<string, string>> | undefined;
  readonly prefix: string | undefined;
  readonly write_back: boolean | undefined;
  readonly token_env: string | undefined;
  readonly base_url: string | undefined;
}

/** A label is what somebody of the project puts there: without one, anybody who may open an issue could order work. */
function specOf(spot: Spot, kind: AwayKind, keys: Keys): IntakeSpec | undefined {
  const repo = repoOf(spot, kind, keys.repo);
  const { label = [], prefix = ISSUE_PREFIX[kind] } = keys;
  if (label.length === 0)
    noteFault(spot, "KEY_MISSING", `${spot.path} needs label: which issues become tasks`, {
      next: "write label: pawl.",
    });
  const isPrefix = /^[A-Za-z0-9][A-Za-z0-9._-]{0,30}$/.test(prefix);
  if (!isPrefix)
    noteFault(child(spot, "prefix"), "TYPE_BAD", `"${prefix}" cannot be what ids begin with`, {
      next: "write it like shop-.",
    });
  if (repo === undefined || label.length === 0 || !isPrefix || isNoApi(spot, kind, keys.base_url)) return undefined;
  return {
    ...{ kind, repo, labels: label, types: keys.types ?? {}, prefix, writeBack: keys.write_back ?? false },
    ...{ tokenEnv: keys.token_env ?? null, baseUrl: keys.base_url ?? null },
  };
}

function notOne(spot: Spot, isRead: boolean): undefined {
  if (isRead)
    noteFault(spot, "TYPE_BAD", `${spot.path} has to be github: or gitlab:, one of them`, {
      next: "write {github: {repo: OWNER/NAME, label: pawl}}.",
    });
  return undefined;
}

/** Two repositories whose issues would be the same tasks. */
function apart(spot: Spot, specs: readonly IntakeSpec[] | undefined): readonly IntakeSpec[] | undefined {
  const taken = new Set<string>();
  for (const { prefix, repo } of specs ?? []) {
    if (taken.has(prefix.toLowerCase()))
      noteFault(
        spot,
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
