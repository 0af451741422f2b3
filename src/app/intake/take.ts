import type { Issue, Issues, Linked } from "../../adapters/forge/remote/issue.ts";
import type { IntakeSpec } from "../../ports/settings.ts";
import { idsInCircles } from "../import/made-tasks.ts";
import { dependsOn } from "./depends-on.ts";
import type { Taken } from "./task-text.ts";

/**
 * The open issues of one repository as tasks. What one depends on, by its text or by a link, is another of them, or a task that is there already
 * (`known`); what is closed is nobody's matter any more. One that depends on an open issue which is no task, or on itself
 * around a corner, is a draft: no issue can halt the others. Throws FORGE_*.
 */
export async function take(
  spec: IntakeSpec,
  { issues, known, signal }: { issues: Issues; known: ReadonlySet<string>; signal: AbortSignal },
): Promise<{ taken: readonly Taken[]; missing: string | null }> {
  const { issues: open, missing: cut } = await issues.open(spec, signal);
  const numbers = new Set(open.map(({ number }) => number));
  const outside = outsideOf(spec, { issues, known, signal });
  const taken: Taken[] = [];
  for (const issue of open) {
    const all = issue.mayWait ? await issues.waitsFor(issue.number, signal) : [];
    const links = all.filter((one) => one !== null);
    const [ours, others] = parted(
      links.filter(({ isOpen }) => isOpen),
      spec.repo,
    );
    const unread = links.length < all.length ? ["something that cannot be read"] : [];
    const missing = [...others.map(({ repo, number }) => `${repo}#${number}`), ...unread];
    const deps: string[] = [];
    for (const number of new Set([...dependsOn(issue.body, issue.number), ...ours])) {
      const is = numbers.has(number) ? "task" : await outside(number);
      if (is === "task") deps.push(`${spec.prefix}${number}`);
      if (is === "open") missing.push(`#${number}`);
    }
    const draft = missing.length === 0 ? null : `it depends on ${missing.join(", ")}, open and no task`;
    taken.push({ id: `${spec.prefix}${issue.number}`, issue, deps, type: typeOf(spec, issue), draft });
  }
  return { taken: withoutCircles(taken), missing: cut };
}

/** Numbers of issues of this repository, and those of others. */
function parted(links: readonly Linked[], repo: string): readonly [readonly number[], readonly Linked[]] {
  const isOurs = (one: Linked) => one.repo.toLowerCase() === repo.toLowerCase();
  return [links.filter(isOurs).map(({ number }) => number), links.filter((one) => !isOurs(one))];
}

/** An issue without that label, or closed: asked for once. */
function outsideOf(
  spec: IntakeSpec,
  { issues, known, signal }: { issues: Issues; known: ReadonlySet<string>; signal: AbortSignal },
): (number: number) => Promise<"task" | "open" | "over"> {
  const asked = new Map<number, Promise<Issue | null>>();
  return async (number) => {
    const asking = asked.get(number) ?? issues.issue(number, signal);
    asked.set(number, asking);
    if ((await asking)?.state !== "open") return "over";
    return known.has(`${spec.prefix}${number}`) ? "task" : "open";
  };
}

const typeOf = ({ types }: IntakeSpec, { labels }: Issue): string | null =>
  Object.entries(types).find(([label]) => labels.includes(label))?.[1] ?? null;

function withoutCircles(taken: readonly Taken[]): readonly Taken[] {
  const round = idsInCircles(taken);
  if (round.size === 0) return taken;
  return taken.map((one) =>
    round.has(one.id)
      ? { ...one, deps: one.deps.filter((dep) => !round.has(dep)), draft: "its dependencies go round in a circle" }
      : one,
  );
}
