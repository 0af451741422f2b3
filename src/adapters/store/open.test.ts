import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { leaseOf } from "../../../test/contracts/store.contract.ts";
import { scratch } from "../../../test/support/scratch.ts";
import { aSeed, aTask, aTick, at, hashOf } from "../../../test/support/ticks.ts";
import { PawlError } from "../../domain/errors.ts";
import type { Tick } from "../../ports/store.ts";
import { connect } from "./connection.ts";
import { openReader, openStore } from "./open.ts";
import { isSafe, openSqlite, sqliteVersion } from "./open-sqlite.ts";
import { FORMAT, formatOf, MIGRATIONS, migrate } from "./schema.ts";
import { sqliteStore } from "./sqlite-store.ts";

const faultOf = async (work: () => Promise<unknown>): Promise<PawlError> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof PawlError) return error;
    throw error;
  }
  throw new Error("it was opened");
};
const blobOf = (size: number): Tick["blobs"] => {
  const bytes = new Uint8Array(size).fill(7);
  return new Map([[hashOf(bytes), bytes]]);
};

/** A store with a few ticks in it, closed: one file. */
async function filled(): Promise<string> {
  const path = join(scratch(), "store.db");
  const store = await openStore(path, { create: true });
  const { epoch } = await leaseOf(store);
  for (let seq = 1; seq <= 20; seq++)
    await store.commit(epoch, aTick(seq, { rows: [aTask(`t-${seq}`)], seeds: [aSeed(`s-${seq}`)] }));
  await store.close();
  return path;
}
const edit = async (path: string, sql: string): Promise<void> => {
  const database = (await openSqlite())(path);
  database.exec(sql);
  database.close();
};

describe("opening a store", () => {
  it("makes folder and file when asked to, and leaves nothing else there", async () => {
    const folder = join(scratch(), "deep", "state");
    await (await openStore(join(folder, "store.db"), { create: true })).close();
    expect(readdirSync(folder)).toEqual(["store.db"]);
  });

  it("never makes one by itself: a missing store is STORE_MISSING, with what to do", async () => {
    const path = join(scratch(), "none", "store.db");
    for (const open of [openStore, openReader]) {
      const { code, message, next } = await faultOf(() => open(path));
      expect([code, message]).toEqual(["STORE_MISSING", `there is no store at ${path}`]);
      expect(next).toContain("pawl run");
    }
    expect(existsSync(join(path, ".."))).toBe(false);
  });

  it.each<[string, (path: string) => unknown]>([
    ["is empty", (path) => truncateSync(path, 0)],
    ["is text", (path) => writeFileSync(path, "tasks: []\n".repeat(1_000))],
    ["is NUL bytes", (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
    ["is a few NUL bytes", (path) => writeFileSync(path, Buffer.alloc(10))],
    ["is cut off in the middle", (path) => truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096)],
    ["is cut off in a page", (path) => truncateSync(path, statSync(path).size - 1_000)],
    ["has NUL bytes in the middle", (path) => nulls(path, 4_096, 40_960)],
    ["is a folder", (path) => folderAt(path)],
    ["is somebody else's database", (path) => edit(path, "DROP TABLE meta")],
    ["has lost its format", (path) => edit(path, "DELETE FROM meta")],
  ])("says STORE_CORRUPT where the file %s, and changes nothing", async (_, damage) => {
    const path = await filled();
    await damage(path);
    const before = statSync(path).isFile() ? readFileSync(path) : null;
    const read = async () => {
      const reader = await openReader(path);
      await reader.load().finally(() => reader.close());
    };
    for (const open of [() => openStore(path), () => openStore(path, { create: true }), read]) {
      const { code, message, next } = await faultOf(open);
      expect([code, message.includes(path)]).toEqual(["STORE_CORRUPT", true]);
      expect(next).toContain("backup");
    }
    if (before) expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("does not play the log of a deleted store into a new one", async () => {
    const path = join(scratch(), "store.db");
    writeFileSync(`${path}-wal`, "a log");
    expect((await faultOf(() => openStore(path, { create: true }))).code).toBe("STORE_CORRUPT");
    expect(existsSync(path)).toBe(false);
  });

  it("says STORE_NEWER where a newer build wrote it", async () => {
    const path = await filled();
    await edit(path, `UPDATE meta SET value = ${FORMAT + 1}`);
    for (const open of [openStore, openReader])
      expect(await faultOf(() => open(path))).toMatchObject({ code: "STORE_NEWER", data: { known: FORMAT } });
  });

  it("says STORE_OLDER to a reader of a format that a holder has not brought up to date", async () => {
    const path = await filled();
    await edit(path, "UPDATE meta SET value = 0");
    expect((await faultOf(() => openReader(path))).code).toBe("STORE_OLDER");
  });

  it("does not migrate while a holder still works with the older format", async () => {
    const path = await filled();
    const holder = await openStore(path);
    await leaseOf(holder);
    await edit(path, "UPDATE meta SET value = 0");
    expect((await faultOf(() => openStore(path))).code).toBe("STORE_HELD");
    await holder.close();
  });
});

describe("a store of format 1", () => {
  /** as a build of that time left it: a holder is over, tasks were picked up or not */
  async function ofFormat1(): Promise<string> {
    const path = join(scratch(), "store.db");
    const database = (await openSqlite())(path);
    database.exec(
      "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID; INSERT INTO meta VALUES ('format', 0)",
    );
    migrate(database, path, MIGRATIONS.slice(0, 1));
    const put = database.prepare("INSERT INTO tasks VALUES (?, ?, ?, ?, 0, NULL, ?)");
    for (const id of ["t-10", "t-9"]) put.run(id, 0, 0, "not-started", JSON.stringify(aSeed(id)));
    for (const id of ["f-10", "f-9"]) put.run(id, 1, 0, "failed", JSON.stringify(aTask(id, { status: "failed" })));
    database.exec("INSERT INTO ticks VALUES (1, 1000, 1, 'old', '[]', '[]')");
    database.close();
    return path;
  }
  const FIRST = { notStarted: 1, failed: 1 };

  it("is brought up to date by who opens it for the lease, and gives its ids in natural order from then on", async () => {
    const path = await ofFormat1();
    expect((await faultOf(() => openReader(path))).code).toBe("STORE_OLDER");
    const store = await openStore(path);
    expect(await store.overview(FIRST)).toMatchObject({ notStarted: ["t-9"], failed: ["f-9"] });
    const { epoch } = await leaseOf(store);
    await store.commit(epoch, aTick(2, { seeds: [aSeed("t-8"), aSeed("t-10", ["t-9"])] }));
    expect(await store.overview(FIRST)).toMatchObject({ seq: 2, notStarted: ["t-8"] });
    expect(Array.from((await store.load()).seeds, ({ id }) => id).sort()).toEqual(["t-10", "t-8", "t-9"]);
    await store.close();
    await (await openReader(path)).close();
  });
});

describe("migrating", () => {
  const steps = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y", "INSERT INTO a VALUES (1, 2)"];
  const fresh = async () => {
    const database = (await openSqlite())(":memory:");
    database.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value); INSERT INTO meta VALUES ('format', 0)");
    return database;
  };

  it("goes from any format to the newest, each step once", async () => {
    const database = await fresh();
    migrate(database, "store.db", steps.slice(0, 1));
    expect(formatOf(database, "store.db", 3)).toBe(1);
    migrate(database, "store.db", steps);
    migrate(database, "store.db", steps);
    expect(formatOf(database, "store.db", 3)).toBe(3);
    expect(database.prepare("SELECT count(*) AS rows FROM a").get()).toEqual({ rows: 1 });
  });

  it("changes nothing where a step fails", async () => {
    const database = await fresh();
    expect(() => migrate(database, "store.db", [steps[0]!, "NONSENSE"])).toThrow();
    expect(formatOf(database, "store.db", 3)).toBe(0);
    migrate(database, "store.db", steps);
  });
});

describe("an open store", () => {
  it("says STORE_FULL when the disk is, writes nothing of the tick, and commits it when there is room", async () => {
    const path = await filled();
    const open = await openSqlite();
    const database = open(path);
    const store = sqliteStore(connect(path, database, open));
    const { epoch } = await leaseOf(store);
    const before = await store.load();
    const small = aTick(21, { rows: [aTask("t-1", { round: 4 })] });
    const tick = aTick(22, { rows: [aTask("t-1", { round: 5 })], blobs: blobOf(2_000_000) });
    database.exec("PRAGMA max_page_count = 60");
    for (const _ of [1, 2]) {
      const fault = await faultOf(() => store.commit(epoch, small, tick));
      expect(fault).toMatchObject({ code: "STORE_FULL", retryable: true });
      expect(await store.load()).toEqual(before);
    }
    database.exec("PRAGMA max_page_count = 100000");
    expect(await store.commit(epoch, small, tick)).toBe("ok");
    expect((await store.task(tick.rows[0]!.id))?.round).toBe(5);
    await store.close();
  });

  it("is fenced once its side file was deleted, and says that the lease is lost before it commits anything", async () => {
    const path = await filled();
    const store = await openStore(path);
    const lease = await leaseOf(store);
    rmSync(`${path}.lease`);
    expect(await store.holder()).toMatchObject({ alive: false });
    await vi.waitUntil(() => lease.lost.aborted, { timeout: 5_000, interval: 20 });
    expect(await lease.renew()).toBe(false);
    expect(await store.commit(lease.epoch, aTick(21))).toBe("fenced");

    const next = await leaseOf(store);
    await lease.release();
    expect(await next.renew()).toBe(true);
    expect(await store.commit(next.epoch, aTick(21))).toBe("ok");
    await store.close();
  });

  it("is fenced by a newer epoch in the store alone, and then says that the lease is lost", async () => {
    const path = await filled();
    const store = await openStore(path);
    const lease = await leaseOf(store);
    await edit(path, `INSERT INTO holders VALUES (${lease.epoch + 1}, 7, 'elm', 9)`);
    expect(await store.commit(lease.epoch, aTick(21))).toBe("fenced");
    expect(lease.lost.aborted).toBe(true);
    expect(await store.holder()).toMatchObject({ pid: 7 });
    await store.close();
  });

  it("does not write on into a file that was deleted or put in another's place", async () => {
    const path = await filled();
    const store = await openStore(path);
    const { epoch } = await leaseOf(store);
    rmSync(path);
    expect((await faultOf(() => store.commit(epoch, aTick(21)))).code).toBe("STORE_MISSING");
    expect(
      (
        await faultOf(() =>
          store.post({ id: "r", by: "a", task: null, command: { do: "stop", workers: false }, at: at(1) }),
        )
      ).code,
    ).toBe("STORE_MISSING");
    writeFileSync(path, "another");
    expect((await faultOf(() => store.commit(epoch, aTick(21)))).code).toBe("STORE_MISSING");
    await store.close();
  });

  it("loads 20,000 tasks that nobody has picked up in well under two seconds", async () => {
    const path = join(scratch(), "store.db");
    const store = await openStore(path, { create: true });
    const { epoch } = await leaseOf(store);
    await store.commit(epoch, aTick(1, { seeds: Array.from({ length: 20_000 }, (_, n) => aSeed(`task-${n}`)) }));
    await store.close();
    const reader = await openReader(path);
    const start = performance.now();
    const { seeds } = await reader.load();
    expect(performance.now() - start).toBeLessThan(2_000);
    expect([...seeds]).toHaveLength(20_000);
    await reader.close();
  });

  it("ends a wait for requests when it is closed", async () => {
    const store = await openStore(await filled());
    await store.rung(new AbortController().signal);
    const ring = store.rung(new AbortController().signal);
    await store.close();
    await ring;
  });
});

describe("the SQLite that runs", () => {
  it("says its version, and is one that cannot lose committed writes", async () => {
    const { version, from } = await sqliteVersion();
    expect(isSafe(version)).toBe(true);
    expect(["node:sqlite", "@photostructure/sqlite"]).toContain(from);
  });

  it.each([
    ["3.51.3", true],
    ["3.53.0", true],
    ["4.0.0", true],
    ["3.51.2", false],
    ["3.50.9", false],
    [undefined, false],
  ])("counts Node's own %s as safe: %s", (version, safe) => expect(isSafe(version)).toBe(safe));
});

function nulls(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0, from, to);
  writeFileSync(path, bytes);
}

function folderAt(path: string): void {
  rmSync(path);
  mkdirSync(path);
}
