import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { git, repository, write } from "../../test/support/scratch.ts";
import { openHands } from "./hands.ts";
import { scopeOf } from "./scope.ts";

const env = { PATH: process.env.PATH, MY_TOKEN: "sesame-open" };
const FILES = {
  "src/cart.ts": "export function total(prices: number[]): number {\n  return prices.reduce((a, b) => a + b, 0);\n}\n",
  "src/checkout.ts": 'import { total } from "./cart.ts";\n\nexport const pay = (prices: number[]) => total(prices);\n',
  "test/cart.test.ts": 'import { total } from "../src/cart.ts";\n\ntotal([1]);\n',
  "deploy.sh": "echo deploy\n",
  ".gitignore": ".pawl/\n",
};
const EDIT = {
  edits: [
    { op: "replace", path: "src/cart.ts", old: "prices.reduce((a, b) => a + b, 0)", new: "prices.length" },
    { op: "create", path: "src/tax.ts", text: "export const tax = 7;\n" },
  ],
};

async function hands(repo: string, written: readonly string[] = []) {
  const rules = { allow: null, deny: ["git push"] };
  const all = await openHands({ folder: repo, env, scope: scopeOf(["src/**"]), rules, isOurs: true, written });
  onTestFinished(() => all.close());
  return all;
}

test("WRK-9.1 hands on a repository find, read, edit, run, judge, commit, push and go back, within their scope", async () => {
  const { repo, origin } = repository(FILES, { origin: true });
  chmodSync(join(repo, "deploy.sh"), 0o640);
  const all = await hands(repo);
  expect([all.on.top, all.recovered, all.written()]).toEqual([repo, [], []]);

  const found = await all.search({ pattern: "TOTAL", letterCase: "ignore", globs: ["src/**"] });
  expect([found.total, found.files.map(({ path }) => path)]).toEqual([3, ["src/cart.ts", "src/checkout.ts"]]);
  await expect(all.search({ pattern: "x", paths: ["../"] })).rejects.toMatchObject({ code: "OUT_OF_SCOPE" });
  expect((await all.index()).files.map(({ path }) => path)).toContain("src/cart.ts");
  expect((await all.map({ folder: "src", tokens: 200 })).entries[0]!.path).toBe("src/cart.ts");
  const ranked = await all.rank("The total of a cart is wrong", 2);
  expect(ranked.map(({ path }) => path).sort()).toEqual(["src/cart.ts", "test/cart.test.ts"]);

  const green = await all.markGreen();
  expect(await all.snapshot("before")).toMatchObject({ tree: green.tree });
  const plan = await all.plan(JSON.stringify(EDIT));
  expect(Buffer.from(all.preview(plan)).toString()).toContain("+  return prices.length");
  expect(await all.edit(plan)).toMatchObject({ ok: true });
  const refused = await all.edit(JSON.stringify({ edits: [{ op: "delete", path: "deploy.sh" }] }));
  expect(refused).toMatchObject({ ok: false, error: { code: "OUT_OF_SCOPE" } });

  const ran = await all.exec({
    cmd: "echo $MY_TOKEN sesame-open; echo x >src/log.txt; echo rm >deploy.sh; touch ../repo/a",
  });
  expect(ran).toMatchObject({ success: true, stdout: "[redacted MY_TOKEN]\n" });
  expect(ran.scope).toMatchObject({ written: ["src/log.txt"], putBack: ["deploy.sh"], quarantined: [{ path: "a" }] });
  expect(readFileSync(join(repo, "deploy.sh"), "utf8")).toBe("echo deploy\n");
  await expect(all.exec({ cmd: "true && git  push" })).rejects.toMatchObject({ code: "COMMAND_DENIED" });
  const tap = await all.exec({
    cmd: "printf 'TAP version 13\\nok 1 - adds\\nnot ok 2 - taxes\\n1..2\\n'; exit 1",
    cwd: "src",
  });
  expect(all.results(tap)).toMatchObject({ state: "failed", passed: 1, failed: 1, failing: ["taxes"] });

  expect(all.written()).toEqual(["src/cart.ts", "src/log.txt", "src/tax.ts"]);
  expect((await all.git.status()).map(({ path }) => path)).toEqual(["src/cart.ts", "src/log.txt", "src/tax.ts"]);
  expect(await all.git.diff({ of: "files" }, ["src/cart.ts"])).toContain("+  return prices.length");
  expect(await all.git.commit({ paths: ["deploy.sh"], message: "No" })).toMatchObject({ code: "OUT_OF_SCOPE" });
  const made = await all.git.commit({ paths: ["src/cart.ts", "src/tax.ts"], message: "Count, and tax" });
  expect(made).toMatchObject({ kind: "committed", branch: "main", paths: ["src/cart.ts", "src/tax.ts"] });
  expect(await all.git.tag("v1")).toMatchObject({ kind: "tagged" });
  expect(await all.git.push({ branch: "work" })).toMatchObject({ kind: "pushed", branch: "work" });
  expect(git(origin!, "log", "-1", "--format=%s", "work")).toBe("Count, and tax");

  const again = await hands(repo, all.written());
  const back = await again.rollback();
  expect(back).toMatchObject({
    kind: "rolled-back",
    putBack: ["src/cart.ts"],
    branchStays: expect.stringContaining("remote"),
  });
  expect(readFileSync(join(repo, "src/cart.ts"), "utf8")).toBe(FILES["src/cart.ts"]);
  expect(existsSync(join(repo, "src/tax.ts"))).toBe(false);
});

test("calls that write go one after the other, and what nobody looks at is not put back", async () => {
  const { repo } = repository(FILES);
  const free = await openHands({ folder: repo, env, scope: scopeOf([]), isWatched: false });
  onTestFinished(() => free.close());
  write(repo, { "src/n.txt": "0" });
  const cmd = "n=$(cat src/n.txt); sleep 0.1; echo $((n + 1)) >src/n.txt; echo free >deploy.sh";
  const ends = await Promise.all([1, 2, 3].map(() => free.exec({ cmd })));
  expect([readFileSync(join(repo, "src/n.txt"), "utf8"), ends[0]!.scope]).toEqual(["3\n", null]);
  expect([readFileSync(join(repo, "deploy.sh"), "utf8"), free.written()]).toEqual(["free\n", []]);
});
