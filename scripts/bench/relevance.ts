// npm run bench:relevance -- REPO[@COMMIT]…: how well `pawl rank` finds the files that past commits changed, from their
// subjects alone, beside plain BM25 and "what was changed most lately". docs/relevance.md says on what it was tuned.
import { resolve } from "node:path";
import { systemGit } from "../../src/adapters/system/git.ts";
import { ranker } from "../../src/workspace/relevance/rank.ts";
import { readTicket } from "../../src/workspace/relevance/ticket.ts";
import { casesOf } from "./relevance/cases.ts";
import { interval, MEASURES, type Measures, mean, measure } from "./relevance/measures.ts";
import { churnRanking, plainRanking } from "./relevance/plain.ts";
import { walk } from "./relevance/walk.ts";

const MOST = 100;
const WAYS = ["pawl", "bm25", "churn"] as const;
type Way = (typeof WAYS)[number];
type Results = Readonly<Record<Way, Measures[]>>;

const git = systemGit();
const built = { worker: resolve("dist/parse-worker.mjs"), queries: resolve("queries") };
const gains: number[] = [];
for (const named of process.argv.slice(2)) {
  const [repo = ".", commit = "HEAD"] = named.split("@");
  const head = await git.must(["rev-parse", "--verify", `${commit}^{commit}`], { cwd: repo });
  const results = await measureOf(repo, head);
  print(`${repo} at ${head}`, results);
  gains.push(mean(gainsOf(results)));
}
if (gains.length > 1) console.log(`\nmean gain over bm25, recall@5: ${mean(gains).toFixed(3)}   target 0.100`);

async function measureOf(repo: string, head: string): Promise<Results> {
  const results: Results = { pawl: [], bm25: [], churn: [] };
  const cases = await casesOf(git, repo, { head, most: MOST });
  await walk({ git, repo, ...built }, cases, ({ subject, gold }, { index, plain, past }) => {
    const ours = ranker(index, past).rank(readTicket(subject), 10);
    results.pawl.push(
      measure(
        ours.map(({ path }) => path),
        gold,
      ),
    );
    results.bm25.push(measure(plainRanking(plain, subject), gold));
    results.churn.push(
      measure(
        churnRanking(
          index.files.map(({ path }) => path),
          past,
        ),
        gold,
      ),
    );
  });
  return results;
}

function gainsOf({ pawl, bm25 }: Results): readonly number[] {
  return pawl.map(({ recall5 }, i) => recall5 - bm25[i]!.recall5);
}

function print(title: string, results: Results): void {
  console.log(`\n${title}: ${results.pawl.length} commits`);
  for (const way of WAYS) {
    const columns = MEASURES.map((name) => `${name} ${told(results[way].map((one) => one[name]))}`);
    console.log(`  ${way.padEnd(6)} ${columns.join("   ")}`);
  }
  console.log(`  gain over bm25, recall@5: ${told(gainsOf(results))}`);
}

/** A mean with the interval that 95 % of resampled means lie in. */
function told(numbers: readonly number[]): string {
  const [low, high] = interval(numbers);
  return `${mean(numbers).toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
