import type { Inbox, Posted, Reply } from "../../../ports/inbox.ts";
import { bell } from "../bell.ts";
import type { Link } from "./link.ts";
import { LOOK_MS } from "./reader.ts";

/** A notification may be lost with its connection: so often it is looked without one. */
const RING_MS = 200;

/** The requests table. `bells` is rung by notifications, where somebody listens to them: a hint, never more. */
export function inbox(link: Link, posted = bell()): Inbox {
  const { schema } = link;
  const ask = <T>(text: string, values: readonly unknown[] = []) => link.ask<T>(text, values, { ms: LOOK_MS });
  return {
    async post({ id, by, task, command, at }) {
      await ask(POST(schema), [id, JSON.stringify({ by, task, command }), at, channelOf(schema)]);
      posted.ring();
    },
    async unread(limit) {
      const text = `SELECT id, asked FROM ${schema}.requests WHERE reply IS NULL ORDER BY n LIMIT $1`;
      const rows = await ask<{ readonly id: string; readonly asked: string }>(text, [limit]);
      return rows.map(({ id, asked }) => ({
        kind: "command-received",
        id,
        ...(JSON.parse(asked) as Omit<Posted, "id">),
      }));
    },
    async reply(id) {
      const text = `SELECT reply FROM ${schema}.requests WHERE id = $1 AND reply IS NOT NULL`;
      const [row] = await ask<{ readonly reply: string }>(text, [id]);
      return row === undefined ? null : (JSON.parse(row.reply) as Reply);
    },
    rung(signal) {
      // The first look is the one before the waiting: it is the interval that rings.
      let looks = 0;
      const look = (): void => void (looks++ > 0 && posted.ring());
      return posted.rung([signal, link.closed], { everyMs: RING_MS, look });
    },
  };
}

/** Where a post is called out, and what a store listens to. */
export const channelOf = (schema: string): string => `${schema.slice(1, -1)}_inbox`;

const POST = (schema: string): string =>
  `WITH posted AS (
     INSERT INTO ${schema}.requests (id, asked, at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING RETURNING id)
   SELECT pg_notify($4, '') FROM posted`;
