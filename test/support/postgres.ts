import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import { type Cluster, postgresProgram, startCluster } from "./cluster.ts";
import { suiteNeeding } from "./needs.ts";

/** A server for the tests of one file. */
export interface Server {
  /** the address of a new store: a schema of its own each time */
  address(of?: { schema?: string; leaseMs?: number; via?: string }): string;
  /** the server itself, where it may be stopped */
  readonly cluster: Cluster;
}

const OTHERS = process.env.PAWL_TEST_DATABASE_URL;

/**
 * Tests on a real PostgreSQL server: one of this file's own, or the one of PAWL_TEST_DATABASE_URL. `own`: these tests stop
 * the server or change its rights, so they need their own in any case.
 */
export function onPostgres(title: string, { own = false }: { own?: boolean }, suite: (server: Server) => void): void {
  const borrowed = own ? undefined : OTHERS;
  const works = borrowed !== undefined || postgresProgram("initdb") !== null;
  suiteNeeding({ program: "initdb", debianPackage: "postgresql", works }, title, () => {
    let cluster: Cluster | null = null;
    beforeAll(async () => {
      if (borrowed === undefined) cluster = await startCluster({ models: inject("models") });
    });
    afterAll(() => cluster?.remove());
    suite({
      get cluster() {
        return cluster!;
      },
      address: ({ schema = newSchema(), leaseMs, via } = {}) => {
        const base = via ?? borrowed ?? cluster!.url();
        const lease = leaseMs === undefined ? "" : `&lease_ms=${leaseMs}`;
        return `${base}${base.includes("?") ? "&" : "?"}schema=${schema}${lease}`;
      },
    });
  });
}

export const newSchema = (): string => `pawl_test_${randomBytes(6).toString("hex")}`;
