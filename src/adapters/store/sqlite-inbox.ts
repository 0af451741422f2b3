import type { TaskId } from "../../domain/names.ts";
import type { Inbox, Reply } from "../../ports/inbox.ts";
import { bell } from "./bell.ts";
import type { Connection } from "./connection.ts";

/** SQLite tells nobody that another process wrote: a counter in shared memory is looked at so often. */
const LOOK_MS = 200;

/** The requests table. Posting takes the write lock for an instant, and never the lease. */
export function inbox(connection: Connection): Inbox {
  const { sql, guard } = connection;
  const posted = bell();
  // What was posted before this opened is for the first look at `unread`, and the first `rung` says so.
  let seen = -1;
  const look = (): void => {
    const { data_version } = guard(() => sql("PRAGMA data_version").get()) as { data_version: number };
    if (data_version === seen) return;
    seen = data_version;
    posted.ring();
  };
  return {
    async post({ id, by, task, command, at }) {
      connection.guard(connection.mustBeThere);
      guard(() => sql(POST).run(id, by, task, JSON.stringify(command), at));
      posted.ring();
    },
    unread: async (limit) => guard(() => sql(UNREAD).all(limit).map(requestOf)),
    reply: async (id) => guard(() => replyOf(sql("SELECT accepted, reply FROM requests WHERE id = ?").get(id))),
    rung: (signal) => posted.rung([signal, connection.closed], { everyMs: LOOK_MS, look }),
  };
}

const POST = "INSERT INTO requests (id, by, task, command, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING";
const UNREAD = "SELECT id, by, task, command FROM requests WHERE accepted IS NULL ORDER BY n LIMIT ?";

type Received = Awaited<ReturnType<Inbox["unread"]>>[number];

function requestOf(row: unknown): Received {
  const { id, by, task, command } = row as { id: string; by: string; task: TaskId | null; command: string };
  return { kind: "command-received", id, by, task, command: JSON.parse(command) as Received["command"] };
}

function replyOf(row: unknown): Reply | null {
  const { accepted, reply } = (row ?? { accepted: null }) as { accepted: number | null; reply: string };
  return accepted === null ? null : { accepted: accepted === 1, reply };
}
