import type { Client, ClientConfig } from "pg";

/** How long a server may take to let us in. */
const CONNECT_MS = 10_000;
const INT8 = 20;

/** A client that is not connected yet. The package is loaded here and nowhere else, when a store on a server is opened. */
export async function newClient(url: string): Promise<Client> {
  const { default: pg } = await import("pg");
  const config: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: "pawl",
    types: {
      // Counters and instants are far below 2^53.
      getTypeParser: ((oid: number, format?: "text") =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
  return new pg.Client(config);
}

/** A query that hands over each row as it comes: the text of a hundred thousand rows is never in memory at once. */
export async function rowByRow(
  client: Client,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  onRow: (row: unknown) => void,
): Promise<void> {
  const { default: pg } = await import("pg");
  const query = new pg.Query(text, [...values]);
  await new Promise<void>((resolve, reject) => {
    let failed: { readonly error: unknown } | null = null;
    query.on("row", (row: unknown) => {
      try {
        if (failed === null) onRow(row);
      } catch (error) {
        failed = { error };
      }
    });
    query.on("end", () => (failed === null ? resolve() : reject(failed.error)));
    query.on("error", reject);
    client.query(query);
  });
}
