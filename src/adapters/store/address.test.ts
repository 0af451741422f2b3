import { describe, expect, it, test } from "vitest";
import { addressOf, isServer, serverFrom, shownAddress } from "./address.ts";

const ENV = { PAWL_DATABASE_URL: "postgres://jo:tr0ub4dor@db.example:5433/pawl?sslmode=verify-full&schema=not_mine" };

describe("the address of a store", () => {
  test.each([
    ["/r/.pawl/store.db", { kind: "file", path: "/r/.pawl/store.db" }],
    ["postgres://jo:x@db/pawl", { kind: "server", schema: "pawl", leaseMs: 15_000 }],
    ["postgresql://db/pawl?schema=shop&lease_ms=2000", { kind: "server", schema: "shop", leaseMs: 2_000 }],
    ["postgres-env:X?schema=shop", { kind: "server", schema: "shop" }],
  ])("%s", (text, address) => {
    expect(addressOf(text)).toMatchObject(address);
    expect(isServer(text)).toBe(address.kind === "server");
  });

  it("shows neither the password nor what stands behind the ?, and hands both to the driver", () => {
    const text = "postgres://jo:tr0ub4dor@db:5433/pawl?password=s3cret&sslmode=require&schema=shop";
    expect(shownAddress(text)).toBe("postgres://jo@db:5433/pawl (schema shop)");
    const address = addressOf(text);
    expect(address.kind === "server" && address.url({})).toBe(
      "postgres://jo:tr0ub4dor@db:5433/pawl?password=s3cret&sslmode=require",
    );
    expect(shownAddress("postgres://jo@/pawl?host=/run/postgresql")).toBe("postgres://jo@/pawl (schema pawl)");
    expect(shownAddress("postgres:///pawl")).toBe("postgres:///pawl (schema pawl)");
  });

  it("comes from a variable at the time of opening", () => {
    const address = addressOf(serverFrom("PAWL_DATABASE_URL", "shop"));
    if (address.kind !== "server") throw new Error("no server");
    expect([address.shown, address.schema]).toEqual(["PAWL_DATABASE_URL (schema shop)", "shop"]);
    expect(address.url(ENV)).toBe(ENV.PAWL_DATABASE_URL);
    expect(() => address.url({})).toThrow(expect.objectContaining({ code: "CREDENTIAL_MISSING" }));
    expect(() => address.url({ PAWL_DATABASE_URL: " " })).toThrow(
      expect.objectContaining({ code: "CREDENTIAL_MISSING" }),
    );
  });

  test.each(["tr0ub4dor@db", "postgres://jo:tr0ub4dor@[db/x", "mysql://jo:tr0ub4dor@db/x"])(
    "a variable that holds %s is refused without being shown",
    (value) => {
      const address = addressOf(serverFrom("X", undefined));
      const read = () => address.kind === "server" && address.url({ X: value });
      expect(read).toThrow(
        expect.objectContaining({ code: "STORE_ADDRESS", message: expect.not.stringContaining("tr0ub4dor") }),
      );
    },
  );

  test.each(["Shop", "pg_shop", "a-b", "1a", 'a"b', "x".repeat(49), ""])("%s cannot be a schema", (schema) => {
    expect(() => addressOf(`postgres-env:X?schema=${encodeURIComponent(schema)}`)).toThrow(
      expect.objectContaining({ code: "STORE_ADDRESS" }),
    );
  });
});
