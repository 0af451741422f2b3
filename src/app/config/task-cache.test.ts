import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { program } from "../../../test/support/program.ts";
import { repository, write } from "../../../test/support/scratch.ts";
import { packed, unpacked } from "../../adapters/record-cache/pack.ts";
import { createSource } from "./source.ts";

const AGENT = "agents: {default: {command: ./fix.sh, verdict: exit_code}}\n";
const task = (title: string, more = "") => `---\ntitle: ${title}\n${more}---\nDo it.\n`;
/** Enough for a cache to be worth it. */
const MANY = 120;

// A file that has just been written may be written again within the same tick of its clock, and is not kept: it is later.
beforeEach(() => {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() + 10_000);
});
afterEach(() => void vi.restoreAllMocks());

function backlog(more: Readonly<Record<string, string>> = {}): string {
  const files = Array.from({ length: MANY }, (_, i) => [`tasks/task-${i + 1}.md`, task(`Title ${i + 1}`)] as const);
  const { repo } = repository({ "pawl.yaml": AGENT, ...Object.fromEntries(files), ...more });
  mkdirSync(join(repo, ".pawl"));
  return repo;
}
/** As a processor that starts reads it. */
const start = async (repo: string) => {
  const { specs, errors, unread } = await createSource({ repo, overrides: {} }).read();
  return { specs, unread, faults: errors.map(({ code, at }) => [code, at.file, at.line]) };
};
const titles = async (repo: string) =>
  new Map((await start(repo)).specs.map(({ id, terms }) => [id as string, terms.title]));
const plain = async (repo: string) =>
  (await start(repo)).specs.map(({ id, spec, terms, bytes }) => ({
    id,
    spec,
    terms,
    text: Buffer.from(bytes!).toString(),
  }));

const partsOf = (repo: string) => [...unpacked(readFileSync(cacheOf(repo)))!];

function cacheOf(repo: string): string {
  const folder = join(repo, ".pawl", "cache", "tasks");
  const [name] = readdirSync(folder);
  return join(folder, name!);
}
/** A cache that says something else than the files do: what comes of it shows whether it was asked. */
function lie(repo: string, from: string, to: string): void {
  const parts = [...unpacked(readFileSync(cacheOf(repo)))!].map(([key, bytes]) => {
    // letter by letter: there are numbers too, which are no text
    const text = Buffer.from(bytes).toString("latin1").replace(from, to);
    return [key, Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4), "latin1")] as const;
  });
  writeFileSync(cacheOf(repo), packed(new Map(parts)));
}

describe("what task files came to, at the next start", () => {
  test("is known without reading them, and is the same", async () => {
    const more = {
      "tasks/zz.md": task(
        "Ends",
        "deps: [task-1]\nphases: auto\nbudget: {spawns: 2}\ntouches: [src/**]\npriority: high\n",
      ),
      "tasks/named.md": task("Named", "id: its-own\ndraft: true\n"),
      "tasks/README.md": "About.\n",
    };
    const read = await plain(backlog(more));
    const repo = backlog(more);
    await start(repo);
    expect(await plain(repo)).toEqual(read);
    lie(repo, '"Title 7"', '"Title X"');
    expect((await titles(repo)).get("task-7")).toBe("Title X");
  });

  test("is read anew where only the ctime is another one: same size, same mtime", async () => {
    const repo = backlog();
    const path = join(repo, "tasks", "task-7.md");
    await start(repo);
    const { atime, mtime, size } = statSync(path);
    writeFileSync(path, task("Title 8"));
    utimesSync(path, atime, mtime);
    expect(statSync(path).size).toBe(size);
    expect((await titles(repo)).get("task-7")).toBe("Title 8");
  });

  test("is not kept of a file that is so young that another change may have the same times", async () => {
    vi.restoreAllMocks();
    const repo = backlog();
    await start(repo);
    lie(repo, '"Title 7"', '"Title X"');
    expect((await titles(repo)).get("task-7")).toBe("Title 7");
  });

  test.each<readonly [string, (path: string) => void]>([
    ["cut in the middle", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["empty", (path) => truncateSync(path, 0)],
    [
      "other bytes",
      (path) =>
        writeFileSync(
          path,
          readFileSync(path).map((byte, i) => (i === 999 ? byte ^ 1 : byte)),
        ),
    ],
    [
      "whole, of rows that name what is not there",
      (path) => lie(join(path, "../../../.."), '"said":[{', '"said":[],"x":[{'),
    ],
    [
      "whole, of fewer stamps than rows",
      (path) => {
        const parts = unpacked(readFileSync(path))!;
        writeFileSync(
          path,
          packed(new Map([...parts].map(([key, bytes]) => [key, key === "3" ? bytes.subarray(32) : bytes]))),
        );
      },
    ],
    ["whole, and no JSON", (path) => lie(join(path, "../../../.."), '{"name":[', '{"name":[,')],
    ["of another build", (path) => writeFileSync(join(path, "../other.pack"), readFileSync(path).fill(0, 20))],
  ])("is read anew where the cache is %s", async (_, spoil) => {
    const repo = backlog();
    const first = await plain(repo);
    lie(repo, '"Title 7"', '"Title X"');
    spoil(cacheOf(repo));
    const isOther = readdirSync(join(repo, ".pawl", "cache", "tasks")).length > 1;
    expect((await titles(repo)).get("task-7")).toBe(isOther ? "Title X" : "Title 7");
    if (!isOther) expect(await plain(repo)).toEqual(first);
  });

  test("goes by what pawl.yaml gives to tasks now", async () => {
    const repo = backlog();
    await start(repo);
    write(repo, { "pawl.yaml": `${AGENT}defaults: {timeout_minutes: 5}\n` });
    expect(new Set((await start(repo)).specs.map(({ terms }) => terms.wallMs))).toEqual(new Set([300_000]));
  });

  test("has the faults that the files have", async () => {
    const repo = backlog({ "tasks/bad.md": task("[x]"), "tasks/twin.md": task("Twin", "id: task-3\n") });
    const first = await start(repo);
    expect(first.faults.map(([code]) => code).sort()).toEqual(["ID_TWICE", "TYPE_BAD"]);
    const again = await start(repo);
    expect([again.faults, again.unread]).toEqual([first.faults, first.unread]);
    write(repo, { "tasks/bad.md": task("Good") });
    expect((await start(repo)).faults.map(([code]) => code)).toEqual(["ID_TWICE"]);
  });

  test("gives no text that is not the file's: it is read again then, whatever its times are", async () => {
    const repo = backlog();
    await start(repo);
    lie(repo, '"Title 7"', '"Title X"');
    const source = createSource({ repo, overrides: {} });
    const seventh = async () => (await source.read()).specs.find(({ id }) => id === "task-7")!;
    const lying = await seventh();
    expect([lying.terms.title, lying.bytes]).toEqual(["Title X", null]);
    const { terms, bytes } = await seventh();
    expect([terms.title, JSON.parse(Buffer.from(bytes!).toString()).title]).toEqual(["Title 7", "Title 7"]);
  });

  test("is not kept of a file whose ctime is young, whatever its mtime was set to", async () => {
    vi.restoreAllMocks();
    const repo = backlog();
    const old = new Date(Date.now() - 60_000);
    for (const name of readdirSync(join(repo, "tasks"))) utimesSync(join(repo, "tasks", name), old, old);
    await start(repo);
    expect(partsOf(repo)).toHaveLength(2);
  });

  test.each([
    ["inode", 0],
    ["size", 1],
    ["mtime", 2],
    ["ctime", 3],
  ] as const)("is read anew where the %s is not the one that was kept", async (_, at) => {
    const repo = backlog();
    await start(repo);
    lie(repo, '"Title 7"', '"Title X"');
    expect((await titles(repo)).get("task-7")).toBe("Title X");
    const parts = partsOf(repo);
    // the first rows: names, stamps, hashes
    const row = (JSON.parse(Buffer.from(parts[2]![1]).toString()) as { name: string[] }).name.indexOf("task-7.md");
    const stamps = Buffer.from(parts[3]![1]);
    stamps.writeDoubleLE(stamps.readDoubleLE(row * 32 + at * 8) + 1, row * 32 + at * 8);
    writeFileSync(cacheOf(repo), packed(new Map([...parts.slice(0, 3), ["3", stamps], ...parts.slice(4)])));
    expect((await titles(repo)).get("task-7")).toBe("Title 7");
  });

  test("is named by the build that made it", async () => {
    const repo = backlog();
    await start(repo);
    const own = readFileSync("src/app/config/task-cache.ts");
    const [, format] = /^const FORMAT = (\d+);/m.exec(own.toString())!;
    const name = createHash("sha256").update(format!).update(own).digest("hex").slice(0, 16);
    expect(basename(cacheOf(repo))).toBe(`${name}.pack`);
  });

  test("is whole whenever another process looks, while two write it", async () => {
    const repo = backlog();
    await start(repo);
    const fixture = "test/fixtures/source-program.ts";
    const first = await program(fixture, ["write", repo]);
    const second = await program(fixture, ["write", repo]);
    const looker = await program(fixture, ["look", repo]);
    expect(await looker.line()).toBe("looking");
    for (let round = 0; round < 15; round++) {
      for (const writer of [first, second]) writer.tell("go");
      expect([await first.line(), await second.line()]).toEqual([`kept ${MANY}`, `kept ${MANY}`]);
    }
    looker.tell("enough");
    const seen = JSON.parse((await looker.line())!) as Record<string, number>;
    expect(seen).toEqual({ whole: expect.any(Number) as number, broken: 0, wrong: 0 });
    expect(seen.whole).toBeGreaterThan(0);
  });

  test("is made by two processors at once, and is whole for a third", async () => {
    const repo = backlog();
    for (let round = 0; round < 5; round++) {
      write(
        repo,
        Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`tasks/task-${i + 1}.md`, task(`R ${round}.${i}`)])),
      );
      await Promise.all([start(repo), start(repo)]);
      const whole = unpacked(readFileSync(cacheOf(repo)));
      expect([whole !== null, (await titles(repo)).get("task-1")]).toEqual([true, `R ${round}.0`]);
    }
  });

  test("is kept by the first processor already, whose .pawl comes after its first reading", async () => {
    const repo = backlog();
    rmSync(join(repo, ".pawl"), { recursive: true });
    const source = createSource({ repo, overrides: {} });
    await source.read();
    expect(existsSync(join(repo, ".pawl"))).toBe(false);
    mkdirSync(join(repo, ".pawl"));
    source.hold();
    await source.read();
    lie(repo, '"Title 7"', '"Title X"');
    expect((await titles(repo)).get("task-7")).toBe("Title X");
  });

  test("is not kept of a few files, nor before there is a .pawl", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT, "tasks/a.md": task("A") });
    mkdirSync(join(repo, ".pawl"));
    await start(repo);
    expect(readdirSync(join(repo, ".pawl"))).toEqual([]);
  });
});
