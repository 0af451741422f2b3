import { posix } from "node:path";
import type { Commands, Sandbox } from "../../ports/commands.ts";
import type { RecordCache } from "../../ports/record-cache.ts";
import type { Searcher } from "../../ports/searcher.ts";
import { barredBy } from "../commands/permitted.ts";
import { judge, type Rules } from "../commands/rules.ts";
import type { Editor, EditResult } from "../edit/editor.ts";
import type { Scope } from "../edit/locate.ts";
import type { Plan } from "../edit/plan.ts";
import type { Shadow } from "../git/shadow.ts";
import { markGreen, takeSnapshot } from "../git/snapshot.ts";
import type { Indexer } from "../index/code-index.ts";
import { repoMap } from "../index/repo-map.ts";
import { historyOf } from "../relevance/history-keeper.ts";
import { ranker } from "../relevance/rank.ts";
import { readTicket } from "../relevance/ticket.ts";
import { readResults } from "../results/read-results.ts";
import { guarded } from "../scope/guard.ts";
import { rollback } from "../scope/rollback.ts";
import type { HandCommand, HandCommandResult, HandSearch, Hands } from "./hands.ts";
import { handsGit } from "./hands-git.ts";
import { inTurn } from "./in-turn.ts";

export interface HandsParts {
  readonly shadow: Shadow;
  readonly editor: Editor;
  readonly commands: Commands;
  readonly searcher: Searcher;
  /** opened when it is first asked for */
  readonly code: () => Promise<{ readonly indexer: Indexer; readonly histories: RecordCache }>;
  readonly scope: Scope;
  /** whether the files are looked at before and after each command: what holds it to the scope, and what a rollback knows of it */
  readonly isWatched: boolean;
  readonly rules: Rules;
  readonly sandbox: Sandbox | null;
  readonly quarantineDir: string;
  /** what was written through hands that are gone */
  readonly written: Iterable<string>;
  readonly close: () => Promise<void>;
}

/** Hands made of these parts. What a crash broke off is brought to an end before they are there. */
export async function makeHands(parts: HandsParts): Promise<Hands> {
  const { shadow, editor, scope } = parts;
  const { on } = shadow;
  const written = new Set(parts.written);
  const alone = inTurn();
  const index = async () => (await parts.code()).indexer.refresh();
  const apply = async (plan: Plan): Promise<EditResult> => {
    const result = await editor.apply(plan);
    if (result.ok) for (const { key } of plan.changes) written.add(key);
    return result;
  };
  return {
    on,
    recovered: await editor.recover(),
    search: (query) => parts.searcher.search(searchIn(on.top, query)),
    index,
    map: async (of) => repoMap(await index(), of),
    async rank(ticket, limit) {
      const { indexer, histories } = await parts.code();
      const history = historyOf({ git: on.git, repo: on.top, cache: histories });
      const [code, past] = await Promise.all([indexer.refresh(), history]);
      return ranker(code, past).rank(readTicket(ticket), limit);
    },
    plan: (sent, known) => editor.plan(sent, known),
    preview: (plan) => editor.preview(plan),
    edit: (what) => alone(async () => apply(isPlan(what) ? what : await editor.plan(what))),
    exec: (command) =>
      alone(async () => {
        const result = await execIn(parts, command);
        for (const path of result.scope?.written ?? []) written.add(path);
        return result;
      }),
    results: ({ stdout, stderr, exit_code }) => readResults(`${stdout}\n${stderr}`, exit_code),
    git: handsGit(on, scope),
    snapshot: (name) => alone(() => takeSnapshot(shadow, name)),
    markGreen: () => alone(() => markGreen(shadow)),
    rollback: () => alone(() => rollback({ shadow, written, quarantineDir: parts.quarantineDir })),
    written: () => [...written].sort(),
    close: () => alone(parts.close),
  };
}

const isPlan = (what: unknown): what is Plan => typeof what === "object" && what !== null && "operations" in what;

const searchIn = (top: string, query: HandSearch) => ({
  isLiteral: false,
  letterCase: "smart" as const,
  wholeWords: false,
  multiline: false,
  paths: [],
  globs: [],
  types: [],
  hidden: false,
  ignored: false,
  context: 0,
  limit: 200,
  ...query,
  cwd: top,
  root: top,
});

async function execIn(parts: HandsParts, command: HandCommand): Promise<HandCommandResult> {
  const { shadow, scope, quarantineDir, sandbox } = parts;
  const barred = barredBy(judge(command.cmd, parts.rules));
  if (barred) throw barred;
  const run = () => parts.commands.run({ ...command, cwd: posix.resolve(shadow.on.top, command.cwd ?? "."), sandbox });
  if (!parts.isWatched) return { ...(await run()), scope: null };
  const { value, scope: report } = await guarded({ shadow, scope, quarantineDir }, run);
  return { ...value, scope: report };
}
