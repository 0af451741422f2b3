import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { leaseOf } from "../../../../test/contracts/store.contract.ts";
import { newSchema, onPostgres } from "../../../../test/support/postgres.ts";
import { aSeed, aTick, at } from "../../../../test/support/ticks.ts";
import { PawlError } from "../../../domain/errors.ts";
import { addressOf, type ServerAddress } from "../address.ts";
import { openReader, openStore } from "../open-any.ts";
import { Link } from "./link.ts";
import { FORMAT, MIGRATIONS, unfitness, upToDate } from "./schema.ts";

const schemaIn = (address: string): string => /schema=(\w+)/.exec(address)![1]!;
const SECRET = "tr0ub4dor";

/** The error of opening, with all that could be printed of it: the password is nowhere. */
async function refusal(open: () => Promise<unknown>): Promise<PawlError> {
  const error = await open().then(
    () => null,
    (error: unknown) => error,
  );
  if (!(error instanceof PawlError)) throw error ?? new Error("it was opened");
  expect(inspect(error, { depth: 9 }) + JSON.stringify(error) + error.next).not.toContain(SECRET);
  expect(error.next).toBeTruthy();
  return error;
}

onPostgres("opening a store on a server", { own: true }, (server) => {
  const made = async (address = server.address()) => {
    const store = await openStore(address, { create: true });
    onTestFinished(() => store.close());
    return { address, store };
  };
  const sql = (text: string) => server.cluster.sql(text);

  it("keeps several projects in one database apart, each in its schema", async () => {
    const [one, other] = [await made(), await made()];
    const { epoch } = await leaseOf(one.store);
    await one.store.commit(epoch, aTick(1, { seeds: [aSeed("t-1")] }));
    expect((await other.store.load()).seq).toBe(0);
    expect((await leaseOf(other.store)).epoch).toBe(1);
    expect([...(await (await made(one.address)).store.load()).seeds]).toEqual([aSeed("t-1")]);
  });

  it("refuses a store that belongs to another repository, and takes it in every clone of its own", async () => {
    const address = server.address();
    const open = async (commit: string, known: readonly string[]) => {
      const store = await openStore(address, {
        create: true,
        project: { commit, has: async (one) => known.includes(one) },
      });
      await store.close();
    };
    await open("aaaa1111", ["aaaa1111"]);
    await open("bbbb2222", ["aaaa1111", "bbbb2222"]);
    expect(await refusal(() => open("cccc3333", ["cccc3333"]))).toMatchObject({
      code: "STORE_FOREIGN",
      message: expect.stringContaining("aaaa1111"),
    });
  });

  it("is missing where nobody made it, and makes nothing then", async () => {
    const address = server.address();
    expect((await refusal(() => openStore(address))).code).toBe("STORE_MISSING");
    expect((await refusal(() => openReader(address))).code).toBe("STORE_MISSING");
    expect(sql(`SELECT count(*) FROM pg_namespace WHERE nspname = '${schemaIn(address)}'`)).toBe("0");
  });

  it("takes a schema that somebody made for it, also where it may make none itself", async () => {
    const schema = newSchema();
    sql(`CREATE ROLE ${schema}_user LOGIN; CREATE SCHEMA ${schema} AUTHORIZATION ${schema}_user`);
    const via = server.cluster.url({ user: `${schema}_user` });
    await made(server.address({ via, schema }));
    const denied = await refusal(() => openStore(server.address({ via }), { create: true }));
    expect(denied).toMatchObject({ code: "STORE_DENIED", message: expect.stringContaining("permission denied") });
    const { address } = await made();
    expect((await refusal(() => openReader(server.address({ via, schema: schemaIn(address) })))).code).toBe(
      "STORE_DENIED",
    );
  });

  it("does not take a schema of somebody else's tables for a store", async () => {
    const schema = newSchema();
    sql(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.tasks (id int)`);
    expect((await refusal(() => openStore(server.address({ schema }), { create: true }))).code).toBe("STORE_CORRUPT");
    expect((await refusal(() => openReader(server.address({ schema })))).code).toBe("STORE_CORRUPT");
  });

  it("refuses a store of a newer build, and changes nothing", async () => {
    const { address, store } = await made();
    await store.close();
    sql(`INSERT INTO ${schemaIn(address)}.versions (format) VALUES (${FORMAT + 7})`);
    for (const open of [() => openStore(address, { create: true }), () => openReader(address)])
      expect(await refusal(open)).toMatchObject({ code: "STORE_NEWER", data: { found: FORMAT + 7, known: FORMAT } });
    expect(sql(`SELECT count(*) FROM ${schemaIn(address)}.versions`)).toBe(`${FORMAT + 1}`);
  });

  it("brings an older format up to date in one transaction, and never under a holder", async () => {
    const { address, store } = await made();
    const link = new Link(addressOf(address) as ServerAddress, process.env);
    onTestFinished(() => link.close());
    const next = [
      ...MIGRATIONS,
      "ALTER TABLE $s.tasks ADD COLUMN later text; SELECT 1/(SELECT count(*) FROM $s.ticks)",
    ];
    const lease = await leaseOf(store);
    expect((await refusal(() => upToDate(link, next))).code).toBe("STORE_HELD");
    await lease.release();
    await expect(upToDate(link, next)).rejects.toThrow("division by zero");
    expect(sql(`SELECT max(format) FROM ${schemaIn(address)}.versions`)).toBe(`${FORMAT}`);
    await store.commit((await leaseOf(store)).epoch, aTick(1));
    await store.close();
    await upToDate(link, next);
    await upToDate(link, next);
    expect(sql(`SELECT max(format) FROM ${schemaIn(address)}.versions`)).toBe(`${FORMAT + 1}`);
    expect(sql(`SELECT count(later) FROM ${schemaIn(address)}.tasks`)).toBe("0");
  });

  it("brings a store of format 1 up to date, and gives its ids in natural order from then on", async () => {
    const address = server.address({ schema: newSchema() });
    const link = new Link(addressOf(address) as ServerAddress, process.env);
    onTestFinished(() => link.close());
    await upToDate(link, MIGRATIONS.slice(0, 1));
    for (const id of ["t-10", "t-009", "t-9"])
      sql(
        `INSERT INTO ${schemaIn(address)}.tasks VALUES ('${id}', false, false, 'not-started', false, NULL, '${JSON.stringify(aSeed(id))}')`,
      );
    expect((await refusal(() => openReader(address))).code).toBe("STORE_OLDER");
    const { store } = await made(address);
    const { epoch } = await leaseOf(store);
    await store.commit(epoch, aTick(1, { seeds: [aSeed("t-8")] }));
    const { notStarted } = await store.overview({ notStarted: 3, failed: 1 });
    expect(notStarted).toEqual(["t-8", "t-009", "t-9"]);
    await store.close();
  });

  it("is made once by several who open it at once", async () => {
    const address = server.address();
    const stores = await Promise.all([1, 2, 3, 4].map(() => made(address)));
    expect(await Promise.all(stores.map(async ({ store }) => (await store.load()).seq))).toEqual([0, 0, 0, 0]);
    expect(sql(`SELECT count(*) FROM ${schemaIn(address)}.versions`)).toBe(`${FORMAT}`);
  });

  it("says of a wrong password that it is refused, of none that one is wanted, and prints neither", async () => {
    const user = `locked_${newSchema()}`;
    sql(`CREATE ROLE ${user} LOGIN PASSWORD 'right'`);
    server.cluster.allow(`local all ${user} scram-sha-256`);
    const via = (password?: string) =>
      server.address({ via: server.cluster.url({ user, ...(password ? { password } : {}) }) });
    const wrong = await refusal(() => openStore(via(SECRET), { create: true }));
    expect(wrong).toMatchObject({ code: "CREDENTIAL_REFUSED", message: expect.stringContaining(user) });
    expect((await refusal(() => openStore(via(), { create: true }))).code).toBe("CREDENTIAL_REFUSED");
    expect((await refusal(() => openStore(via("right"), { create: true }))).code).toBe("STORE_DENIED");
  });

  it("keeps a commit durable where the role's default is not to wait for the disk", async () => {
    const user = newSchema();
    sql(`CREATE ROLE ${user} LOGIN; ALTER ROLE ${user} SET synchronous_commit = off`);
    const via = server.cluster.url({ user });
    const link = new Link(addressOf(server.address({ via })) as ServerAddress, process.env);
    onTestFinished(() => link.close());
    expect(await link.ask("SHOW synchronous_commit")).toEqual([{ synchronous_commit: "on" }]);
  });

  it("says what is wrong with a server that is a replica, and with a database that is not there", async () => {
    const user = newSchema();
    sql(`CREATE ROLE ${user} SUPERUSER LOGIN; ALTER ROLE ${user} SET default_transaction_read_only = on`);
    const replica = server.address({ via: server.cluster.url({ user }) });
    expect((await refusal(() => openStore(replica, { create: true }))).code).toBe("STORE_UNFIT");
    const gone = server.address({ via: server.cluster.url().replace("/postgres?", "/nowhere?") });
    expect(await refusal(() => openReader(gone))).toMatchObject({
      code: "STORE_MISSING",
      message: expect.stringContaining('"nowhere"'),
    });
    sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    const latin = server.address({ via: server.cluster.url().replace("/postgres?", "/latin?") });
    expect(await refusal(() => openStore(latin, { create: true }))).toMatchObject({ code: "STORE_UNFIT" });
  });

  it("fails a read, and loses no other, when a row was spoiled", async () => {
    const { address, store } = await made();
    await store.commit((await leaseOf(store)).epoch, aTick(1, { seeds: [aSeed("t-1")] }));
    sql(`UPDATE ${schemaIn(address)}.tasks SET json = '{"id": '`);
    expect((await refusal(() => store.load())).code).toBe("STORE_CORRUPT");
    expect(await store.ticks(0, 9)).toHaveLength(1);
  });

  it("posts, commits and reads on while a long look is under way", async () => {
    const { address, store } = await made();
    const { epoch } = await leaseOf(store);
    const ticks = Array.from({ length: 20 }, (_, n) => store.commit(epoch, aTick(n + 1)));
    const looks = Array.from({ length: 20 }, () => store.load());
    expect(new Set(await Promise.all(ticks))).toEqual(new Set(["ok"]));
    await store.post({ id: "r", by: "ann", task: null, command: { do: "stop", workers: false }, at: at(1) });
    expect((await Promise.all(looks)).every(({ seq }) => seq <= 20)).toBe(true);
    expect((await (await made(address)).store.load()).seq).toBe(20);
  });
});

describe("a server that cannot be used", () => {
  it("is unreachable where nothing listens, in the words of the system", async () => {
    const address = `postgres://pawl:${SECRET}@127.0.0.1:1/pawl`;
    const error = await refusal(() => openStore(address, { create: true }));
    expect(error).toMatchObject({
      code: "STORE_UNREACHABLE",
      retryable: true,
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("is unreachable where something else listens", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const error = await refusal(() =>
      openReader(`postgres://pawl:${SECRET}@127.0.0.1:${(other.address() as AddressInfo).port}/pawl`),
    );
    expect(error.code).toBe("STORE_UNREACHABLE");
  });

  it.each([
    [{ version: 120_017, encoding: "UTF8" }, "PostgreSQL 12"],
    [{ version: 150_004, encoding: "SQL_ASCII" }, "SQL_ASCII"],
  ])("is unfit: %o", (server, words) => {
    expect(unfitness(server)?.why).toContain(words);
  });

  it("is fit from PostgreSQL 13 on", () => {
    expect(unfitness({ version: 130_000, encoding: "UTF8" })).toBeNull();
  });
});
