import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkoutIn } from "../../../test/support/checkout.ts";
import { git, repository, write } from "../../../test/support/scratch.ts";
import { shows } from "../../../test/support/shows.ts";
import { fileLocks } from "../../adapters/store/file-lock.ts";
import { copyFile } from "../../adapters/system/copy-file.ts";
import { commit } from "../git/commit.ts";
import { openShadow } from "../git/shadow.ts";
import { dropSnapshot, lastGreen, markGreen, snapshots, takeSnapshot } from "../git/snapshot.ts";
import { checkBudget, standing } from "./budget.ts";
import { guarded } from "./guard.ts";
import { rollback } from "./rollback.ts";

const shadowParts = { copy: copyFile, lock: fileLocks() };
const inSrc = (path: string): string | null => (path.startsWith("src/") ? null : "outside src");
const text = (repo: string, path: string) => readFileSync(join(repo, path), "utf8");

async function guard(files: Record<string, string>) {
  const { repo } = repository(files);
  const shadow = openShadow(await checkoutIn(repo), shadowParts);
  const quarantineDir = join(repo, "../quarantine");
  const run = (work: () => void) =>
    guarded({ shadow, scope: inSrc, quarantineDir }, async () => work()).then(({ scope }) => scope);
  return { repo, run, shadow, quarantineDir };
}

describe("the write scope", () => {
  test("WRK-9.1 what a command changed outside is as it was, what it made is set aside, and both are named", async () => {
    const { repo, run, quarantineDir } = await guard({
      "src/a.ts": "1\n",
      "clean.txt": "1\n",
      "dirty.txt": "1\n",
      "gone.txt": "1\n",
      "dir/x.txt": "1\n",
      "mode.sh": "1\n",
      ".gitignore": "*.log\n",
    });
    write(repo, { "dirty.txt": "the user's\r\nown\n", "user-new.txt": "untracked\n", "x.log": "1" });
    const index = git(repo, "ls-files", "--stage");
    const report = await run(() => {
      write(repo, {
        "src/a.ts": "2\n",
        "src/new.ts": "",
        "clean.txt": "2\n",
        "dirty.txt": "3\n",
        "user-new.txt": "4\n",
      });
      write(repo, { "made/b c.txt": "made\n", "made\n2": "", "x.log": "2" });
      rmSync(join(repo, "gone.txt"));
      rmSync(join(repo, "dir"), { recursive: true });
      symlinkSync("/etc", join(repo, "dir"));
      chmodSync(join(repo, "mode.sh"), 0o755);
    });
    expect(report.written).toEqual(["src/a.ts", "src/new.ts"]);
    expect([...report.putBack].sort()).toEqual([
      "clean.txt",
      "dir/x.txt",
      "dirty.txt",
      "gone.txt",
      "mode.sh",
      "user-new.txt",
    ]);
    expect(report.quarantined.map(({ path }) => path)).toEqual(["dir", "made\n2", "made/b c.txt"]);
    expect(
      ["clean.txt", "dirty.txt", "user-new.txt", "gone.txt", "dir/x.txt", "x.log", "src/a.ts"].map((path) =>
        text(repo, path),
      ),
    ).toEqual(["1\n", "the user's\r\nown\n", "untracked\n", "1\n", "1\n", "2", "2\n"]);
    expect(readFileSync(join(quarantineDir, "made/b c.txt"), "utf8")).toBe("made\n");
    expect(git(repo, "ls-files", "--stage")).toBe(index);
    expect(git(repo, "status", "--porcelain").split("\n")).toEqual([
      " M dirty.txt",
      " M src/a.ts",
      "?? src/new.ts",
      "?? user-new.txt",
    ]);
    expect(await run(() => {})).toEqual({ written: [], putBack: [], quarantined: [], unread: [] });
    shows("WRK-9.1", 1);
  });

  test("a command cannot hide what it makes, fail its way out, or commit it", async () => {
    const { repo, run, shadow, quarantineDir } = await guard({ "src/a.ts": "1\n", "b.txt": "1\n" });
    const hidden = await run(() => {
      write(repo, { ".gitignore": "*\n", "secret.txt": "s", ".git/info/exclude": "*\n" });
      git(repo, "config", "core.excludesFile", join(repo, ".gitignore"));
    });
    expect(hidden.quarantined.map(({ path }) => path)).toEqual([".gitignore", "secret.txt"]);
    const work = async () => {
      write(repo, { "b.txt": "2\n" });
      throw new Error("it failed");
    };
    await expect(guarded({ shadow, scope: inSrc, quarantineDir }, work)).rejects.toThrow("it failed");
    expect(text(repo, "b.txt")).toBe("1\n");
    await run(() => {
      write(repo, { "b.txt": "3\n" });
      git(repo, "commit", "-qam", "sneaky");
    });
    expect(text(repo, "b.txt")).toBe("1\n");
    const twice = await run(() => write(repo, { "secret.txt": "again" }));
    expect(twice.quarantined).toEqual([{ path: "secret.txt", to: join(quarantineDir, "secret.txt.2") }]);
  });

  test("line ends, filters and a lost index make no byte different; the same size in the same second is seen", async () => {
    const { repo, run, shadow } = await guard({
      "a.txt": "1\r\n2\n",
      ".gitattributes": "* text=auto eol=crlf\n",
      "b.txt": "x\n",
    });
    write(repo, { "b.txt": "y\n" });
    const before = ["a.txt", "b.txt"].map((path) => text(repo, path));
    const odd = () => {
      write(repo, { "a.txt": "3\n", "b.txt": "z\n" });
      const now = new Date(1e12);
      for (const path of ["a.txt", "b.txt"]) utimesSync(join(repo, path), now, now);
    };
    expect((await run(odd)).putBack).toEqual(["a.txt", "b.txt"]);
    expect(["a.txt", "b.txt"].map((path) => text(repo, path))).toEqual(before);
    writeFileSync(join(shadow.on.gitDir, "pawl-shadow/index"), "broken");
    expect((await run(odd)).putBack).toEqual(["a.txt", "b.txt"]);
    mkdirSync(join(repo, "empty"));
    git(join(repo, "empty"), "init", "-q");
    write(repo, { "empty/x": "" });
    expect(await run(() => {})).toMatchObject({ putBack: [], unread: ["empty"] });
  });
});

test("a name that is no UTF-8 keeps no other file from being put back, and is named", async () => {
  const { repo, run } = await guard({ "other.txt": "1\n" });
  const odd = Buffer.concat([Buffer.from(`${repo}/n`), Buffer.from([0xff]), Buffer.from("l.txt")]);
  writeFileSync(odd, "x\n");
  git(repo, "add", "--all");
  git(repo, "commit", "-qm", "Odd");
  const { putBack, unread } = await run(() => {
    rmSync(odd);
    write(repo, { "other.txt": "2\n" });
  });
  expect([putBack, text(repo, "other.txt"), unread]).toEqual([["other.txt"], "1\n", ["n\ufffdl.txt"]]);
});

describe("snapshots and rollback", () => {
  test("WRK-9.2 goes back to the last green state of what we wrote, new files too, and touches nothing else", async () => {
    const { repo } = repository({ "src/a.ts": "1\n", "src/b.ts": "1\n", "user.txt": "1\n", "moved.ts": "1\n" });
    const shadow = openShadow(await checkoutIn(repo, true), shadowParts);
    const quarantineDir = join(repo, "../quarantine");
    const order = { shadow, quarantineDir, written: ["src/a.ts", "src/b.ts", "src/new.ts", "moved.ts", "to.ts"] };
    expect(await rollback(order)).toMatchObject({ code: "NO_GREEN" });
    write(repo, { "src/b.ts": "dirty when it was green\n" });
    const green = await markGreen(shadow);
    expect(await lastGreen(shadow.on)).toEqual(green);
    shows("WRK-9.2", 1);
    write(repo, { "src/a.ts": "2\n", "src/b.ts": "2\n", "src/new.ts": "n\n", "user.txt": "2\n", "user-new.txt": "" });
    renameSync(join(repo, "moved.ts"), join(repo, "to.ts"));
    git(repo, "add", "user.txt");
    await commit(shadow.on, { paths: ["src/a.ts"], message: "Red" });
    const done = await rollback(order);
    expect(done).toMatchObject({
      kind: "rolled-back",
      branchStays: null,
      putBack: ["moved.ts", "src/a.ts", "src/b.ts"],
    });
    expect(["src/a.ts", "src/b.ts", "moved.ts", "user.txt"].map((path) => text(repo, path))).toEqual([
      "1\n",
      "dirty when it was green\n",
      "1\n",
      "2\n",
    ]);
    expect(git(repo, "rev-parse", "HEAD")).toBe(green.head);
    expect(git(repo, "status", "--porcelain").split("\n")).toEqual([" M src/b.ts", "M  user.txt", "?? user-new.txt"]);
    expect([existsSync(join(repo, "to.ts")), existsSync(join(quarantineDir, "src/new.ts"))]).toEqual([false, true]);
    shows("WRK-9.2", 2);
    const [kept] = await snapshots(shadow.on);
    git(repo, "gc", "-q", "--prune=now");
    expect(git(repo, "show", `refs/pawl/snap/${kept}:src/new.ts`)).toBe("n");

    write(repo, { "user.txt": "theirs\n", "src/a.ts": "3\n" });
    git(repo, "commit", "-qam", "Ours and theirs");
    const head = git(repo, "rev-parse", "HEAD");
    expect(await rollback(order)).toMatchObject({
      branchStays: expect.stringContaining("user.txt"),
      putBack: ["src/a.ts"],
    });
    expect([git(repo, "rev-parse", "HEAD"), text(repo, "user.txt"), text(repo, "src/a.ts")]).toEqual([
      head,
      "theirs\n",
      "1\n",
    ]);
    const snapshot = await takeSnapshot(shadow, "once");
    await expect(takeSnapshot(shadow, "once")).rejects.toMatchObject({ code: "GIT_FAILED" });
    expect(git(repo, "rev-parse", snapshot.ref)).toBe(snapshot.commit);
    await dropSnapshot(shadow.on, "once");
    expect(await snapshots(shadow.on)).not.toContain("once");
  });
});

describe("budgets", () => {
  const budget = { hops: 10, timeMs: 1_000, diffLines: null, diffFiles: 0 };
  const spent = { hops: 0, timeMs: 0, diffLines: 1e9, diffFiles: 0 };
  test.each([
    ["nothing is spent", spent, "within"],
    ["the last hop but two is made", { ...spent, hops: 8 }, "near"],
    ["the last hop is made", { ...spent, hops: 10 }, "near"],
    ["one hop too many", { ...spent, hops: 11 }, "over"],
    ["the time is over", { ...spent, hops: 9, timeMs: 1_001 }, "over"],
    ["a file is changed where none may be", { ...spent, diffFiles: 1 }, "over"],
  ])("WRK-9.1 hops, time and the size of the diff: %s", (_, what, kind) => {
    expect(standing(budget, what).kind).toBe(kind);
    shows("WRK-9.1", 2);
  });

  test("a bound that bounds nothing is refused, and none is none", () => {
    expect(() => checkBudget({ ...budget, hops: Number.NaN })).toThrow("hops is NaN");
    expect(standing({ hops: null, timeMs: null, diffLines: null, diffFiles: null }, spent)).toMatchObject({
      part: null,
    });
  });
});
