import { PawlError } from "../../../domain/errors.ts";
import { newer, older } from "../store-error.ts";
import type { Ask, Link } from "./link.ts";
import { damaged, unfit } from "./server-error.ts";

/**
 * What makes format n+1 of format n, oldest first; `$s` is the schema. A released one is never edited.
 *
 * The tables are SQLite's (see ../schema.ts), with JSON as text: as a json value it could not hold every character that
 * JSON can. Indexes on tasks hold what seldom changes: a row that is written again then stays on its page. lease: one row,
 * the newest holder; `until` is the server's clock. requests: `reply` is null until it is answered. id_key: as idKey.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE $s.meta (key text PRIMARY KEY, value text NOT NULL);
   CREATE TABLE $s.lease (
     one smallint PRIMARY KEY CHECK (one = 1), epoch bigint NOT NULL, token text NOT NULL, pid integer NOT NULL,
     host text NOT NULL, since bigint NOT NULL, until timestamptz NOT NULL) WITH (fillfactor = 50);
   CREATE TABLE $s.ticks (
     seq bigint PRIMARY KEY, now bigint NOT NULL, epoch bigint NOT NULL, build text NOT NULL,
     inputs text NOT NULL, facts text NOT NULL);
   CREATE TABLE $s.tasks (
     id text PRIMARY KEY, picked boolean NOT NULL, busy boolean NOT NULL, status text NOT NULL, synced boolean NOT NULL,
     merged text, json text NOT NULL) WITH (fillfactor = 60);
   CREATE TABLE $s.blobs (hash text PRIMARY KEY, bytes bytea NOT NULL);
   CREATE TABLE $s.maps (hash text PRIMARY KEY, json text NOT NULL);
   CREATE TABLE $s.backlog (one smallint PRIMARY KEY CHECK (one = 1), json text NOT NULL);
   CREATE TABLE $s.requests (
     n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, asked text NOT NULL, at bigint NOT NULL,
     reply text);
   CREATE INDEX requests_unread ON $s.requests (n) WHERE reply IS NULL;
   CREATE FUNCTION $s.commit_tick(
     p_epoch bigint, p_seq bigint, p_now bigint, p_build text, p_inputs text, p_facts text, p_backlog text,
     p_blobs text[], p_bytes bytea[], p_maps text[], p_map_json text[], p_seeds text[], p_seed_json text[],
     p_rows text[], p_busy boolean[], p_status text[], p_synced boolean[], p_merged text[], p_row_json text[],
     p_answered text[], p_replies text[]) RETURNS text LANGUAGE plpgsql AS $body$
   DECLARE
     v_epoch bigint;
     v_until timestamptz;
     v_last bigint;
   BEGIN
     -- Whoever wants the lease waits here until this tick is in the store, and the other way round.
     SELECT l.epoch, l.until INTO v_epoch, v_until FROM $s.lease l FOR UPDATE;
     IF v_epoch IS NULL OR v_epoch <> p_epoch OR v_until <= clock_timestamp() THEN RETURN 'lost'; END IF;
     SELECT coalesce(max(t.seq), 0) INTO v_last FROM $s.ticks t;
     IF v_last = p_seq AND (SELECT t.epoch FROM $s.ticks t WHERE t.seq = p_seq) = p_epoch THEN RETURN 'again'; END IF;
     IF v_last + 1 <> p_seq THEN RETURN 'gap'; END IF;
     INSERT INTO $s.ticks VALUES (p_seq, p_now, p_epoch, p_build, p_inputs, p_facts);
     IF cardinality(p_blobs) > 0 THEN
       INSERT INTO $s.blobs SELECT * FROM unnest(p_blobs, p_bytes) ON CONFLICT DO NOTHING;
     END IF;
     IF cardinality(p_maps) > 0 THEN
       INSERT INTO $s.maps SELECT * FROM unnest(p_maps, p_map_json) ON CONFLICT DO NOTHING;
     END IF;
     IF cardinality(p_seeds) > 0 THEN
       -- A picked-up row is never overwritten by what the task was before.
       INSERT INTO $s.tasks AS t
         SELECT s.id, false, false, 'not-started', false, NULL, s.json FROM unnest(p_seeds, p_seed_json) AS s(id, json)
         ON CONFLICT (id) DO UPDATE SET json = excluded.json WHERE NOT t.picked;
     END IF;
     IF cardinality(p_rows) > 0 THEN
       INSERT INTO $s.tasks
         SELECT r.id, true, r.busy, r.status, r.synced, r.merged, r.json
         FROM unnest(p_rows, p_busy, p_status, p_synced, p_merged, p_row_json) AS r(id, busy, status, synced, merged, json)
         ON CONFLICT (id) DO UPDATE SET picked = true, busy = excluded.busy, status = excluded.status,
           synced = excluded.synced, merged = excluded.merged, json = excluded.json;
     END IF;
     IF p_backlog IS NOT NULL THEN
       INSERT INTO $s.backlog VALUES (1, p_backlog) ON CONFLICT (one) DO UPDATE SET json = excluded.json;
     END IF;
     IF cardinality(p_answered) > 0 THEN
       -- An answer is given once: the first one stays.
       UPDATE $s.requests q SET reply = a.reply FROM unnest(p_answered, p_replies) AS a(id, reply)
         WHERE q.id = a.id AND q.reply IS NULL;
     END IF;
     RETURN 'ok';
   END $body$;`,
  `CREATE FUNCTION $s.id_key(id text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $body$
     SELECT string_agg(
       CASE WHEN digits IS NULL THEN part ELSE '0' || chr(48 + length(digits)) || digits END, '' ORDER BY n)
     FROM (
       SELECT n, m[1] AS part, CASE WHEN m[1] ~ '^[0-9]' THEN coalesce(nullif(ltrim(m[1], '0'), ''), '0') END AS digits
       FROM regexp_matches(id, '[0-9]+|[^0-9]+', 'g') WITH ORDINALITY AS found (m, n)) AS parts
   $body$;
   CREATE INDEX tasks_in_order ON $s.tasks (picked, status, ($s.id_key(id)) COLLATE "C", id COLLATE "C");`,
];

/** The format that this build reads and writes. */
export const FORMAT = MIGRATIONS.length;

/** PostgreSQL below this is not tried by anybody any more. */
const OLDEST = 130_000;

interface Server {
  readonly version: number;
  readonly encoding: string;
}

/** Whether a server can hold a store at all. Throws STORE_UNFIT, CREDENTIAL_REFUSED, STORE_UNREACHABLE, STORE_MISSING. */
export async function mustFit(link: Link): Promise<void> {
  const [server] = await link.ask<Server>(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
  );
  const fault = unfitness(server!);
  if (fault) throw unfit(link.shown, fault.why, fault.next);
}

/** Why a server cannot hold a store, and what would; null: it can. */
export function unfitness({ version, encoding }: Server): { readonly why: string; readonly next: string } | null {
  if (version < OLDEST)
    return {
      why: `it is PostgreSQL ${Math.floor(version / 10_000)}, and a store needs ${OLDEST / 10_000} or newer`,
      next: "use a newer server, or a store in a file (leave out store:)",
    };
  if (encoding !== "UTF8")
    return {
      why: `its database is written in ${encoding}, and not in UTF8`,
      next: "createdb -E UTF8 -T template0 NAME",
    };
  return null;
}

/** The format of the store in that schema; null: there is none. Throws STORE_CORRUPT where something else lies there, STORE_NEWER. */
export async function formatOf(ask: Ask, link: Link, known = FORMAT): Promise<number | null> {
  const [found] = await ask<{ readonly mine: boolean; readonly tables: number }>(
    `SELECT to_regclass($1) IS NOT NULL AS mine, (SELECT count(*) FROM pg_tables WHERE schemaname = $2) AS tables`,
    [`${link.schema}.versions`, link.schema.slice(1, -1)],
  );
  if (!found!.mine && found!.tables > 0)
    throw damaged(link.shown, "that schema holds tables, but not pawl's; name another one (schema:)");
  if (!found!.mine) return null;
  const [last] = await ask<{ readonly format: number | null }>(
    `SELECT max(format) AS format FROM ${link.schema}.versions`,
  );
  if (last!.format === null) throw damaged(link.shown, "it does not say its format");
  if (last!.format > known) throw newer(link.shown, last!.format, known);
  return last!.format;
}

/** Throws STORE_MISSING (by `missing`), STORE_OLDER, STORE_NEWER or STORE_CORRUPT unless there is a store of today's format. */
export async function mustBeToday(link: Link, missing: () => PawlError): Promise<void> {
  const format = await link.alone((ask) => formatOf(ask, link));
  if (format === null) throw missing();
  if (format < FORMAT) throw older(link.shown, format, FORMAT);
}

/**
 * Makes the store, or brings it to today's format: in one transaction, one process at a time, and only while nobody holds
 * its lease (STORE_HELD).
 */
export async function upToDate(link: Link, migrations = MIGRATIONS): Promise<void> {
  const { schema } = link;
  await link.alone(async (ask) => {
    await ask("BEGIN");
    try {
      await ask("SELECT pg_advisory_xact_lock(hashtextextended('pawl ' || $1, 0))", [schema]);
      const from = await formatOf(ask, link, migrations.length);
      if (from === null) await makeSchema(ask, schema);
      else if (from < migrations.length) await mustBeFree(ask, link);
      for (const [i, step] of [...migrations.entries()].slice(from ?? 0)) {
        await ask(step.replaceAll("$s", schema));
        await ask(`INSERT INTO ${schema}.versions (format) VALUES ($1)`, [i + 1]);
      }
      await ask("COMMIT");
    } catch (error) {
      await ask("ROLLBACK").catch(() => {});
      throw error;
    }
  });
}

/** A schema that somebody made for us is taken as it is: then our user need not be allowed to make any. */
async function makeSchema(ask: Ask, schema: string): Promise<void> {
  const [there] = await ask<{ readonly there: boolean }>("SELECT to_regnamespace($1) IS NOT NULL AS there", [schema]);
  if (!there!.there) await ask(`CREATE SCHEMA ${schema}`);
  await ask(`CREATE TABLE ${schema}.versions (format integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`);
}

async function mustBeFree(ask: Ask, { schema, shown }: Link): Promise<void> {
  const holders = await ask(`SELECT 1 FROM ${schema}.lease WHERE until > clock_timestamp() FOR UPDATE`);
  if (holders.length > 0)
    throw new PawlError(
      "STORE_HELD",
      `the store ${shown} is to be brought up to date, and an older pawl still uses it`,
      {
        next: "`pawl stop`, then start again",
      },
    );
}
