import type { Commit } from "../../../domain/names.ts";
import type { Check } from "../remote/checks.ts";
import type { Http } from "../remote/http.ts";
import { shapeOf, textOr } from "../remote/json.ts";
import type { Ask } from "../remote/signals.ts";

/**
 * What is known of one commit: check runs (Actions and other apps), statuses, and suites of which no run tells, that is
 * whose next jobs begin only when others have ended, or whose workflow file is no workflow.
 */
export const checksOf =
  (http: Http, root: string): Ask<readonly Check[]> =>
  async (_, head, signal) => {
    const at = `${root}/commits/${head}`;
    const suites = await http.list(`${at}/check-suites?per_page=100`, signal, "check_suites");
    const runs = (await http.list(`${at}/check-runs?filter=latest&per_page=100`, signal, "check_runs"))
      .map((one) => shapeOf(one, "check run"))
      .filter(({ head_sha }) => head_sha === head);
    const statuses = await http.list(`${at}/status?per_page=100`, signal, "statuses");
    const checks = runs.map((run) => checkOf(http, root, run));
    const isTold = (suite: unknown) => runs.some((run, i) => suiteOf(run) === suite && checks[i]!.state === "pending");
    return [
      ...checks,
      ...suites.map((one) => shapeOf(one, "check suite")).flatMap((one) => ofSuite(one, { head, isTold })),
      ...statuses.map((one) => ofStatus(shapeOf(one, "status"))),
    ];
  };

type Fields = ReturnType<typeof shapeOf>;
const suiteOf = ({ check_suite }: Fields): unknown => (check_suite as { id?: unknown } | null | undefined)?.id;
const appOf = ({ app }: Fields) => (app ?? {}) as { slug?: unknown; name?: unknown };
const ACTIONS = "github-actions";

const GOOD: ReadonlyMap<unknown, Check["state"]> = new Map([
  ["success", "passed"],
  ["neutral", "skipped"],
  ["skipped", "skipped"],
  // somebody has to press a button
  ["action_required", "pending"],
]);

function stateOf({ status, conclusion }: Fields): Pick<Check, "state" | "word"> {
  if (status !== "completed") return { state: "pending", word: textOr(status, "pending") };
  return { state: GOOD.get(conclusion) ?? "failed", word: textOr(conclusion, "failure") };
}

function checkOf(http: Http, root: string, run: Fields): Check {
  const { id, name, details_url, output } = run;
  const job = /\/job\/(\d+)/.exec(textOr(details_url, ""))?.[1] ?? String(id);
  const isJob = appOf(run).slug === ACTIONS;
  return {
    ...{ id: `run ${id}`, name: textOr(name, "without a name"), ...stateOf(run) },
    log: async (signal) => (isJob ? http.tail(`${root}/actions/jobs/${job}/logs`, signal) : wordsOf(output)),
  };
}

/** What an app says of its check, where it says something. */
function wordsOf(output: unknown): string | null {
  const { title, summary, text } = (output ?? {}) as { title?: unknown; summary?: unknown; text?: unknown };
  return [title, summary, text].filter((part) => typeof part === "string" && part !== "").join("\n") || null;
}

/** Each app that is installed has a suite, also one that has nothing to do there and never ends it. */
function ofSuite(suite: Fields, of: { head: Commit; isTold: (suite: unknown) => boolean }): readonly Check[] {
  const { slug, name } = appOf(suite);
  const count = Number(suite.latest_check_runs_count ?? 0);
  const { state, word } = stateOf(suite);
  const isMore = state === "pending" && (count > 0 || slug === ACTIONS) && !of.isTold(suite.id);
  const isAlone = state === "failed" && count === 0;
  if (suite.head_sha !== of.head || !(isMore || isAlone)) return [];
  return [{ id: `suite ${suite.id}`, name: textOr(name, "a suite"), state, word, log: async () => null }];
}

const STATES: ReadonlyMap<unknown, Check["state"]> = new Map([
  ["success", "passed"],
  ["pending", "pending"],
]);

function ofStatus({ id, context, state, description }: Fields): Check {
  return {
    ...{ id: `status ${id}`, name: textOr(context, "without a name"), word: textOr(state, "error") },
    state: STATES.get(state) ?? "failed",
    log: async () => textOr(description, null),
  };
}
