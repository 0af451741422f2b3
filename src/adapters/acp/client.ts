import { type ClientApp, client, type RequestError } from "@agentclientprotocol/sdk";
import type { AgentFiles } from "./agent-files.ts";
import { answerWish, type Permissions, readWish, type Wish } from "./permission.ts";
import type { Terminals } from "./terminals.ts";
import { readUpdate, type Update } from "./update.ts";

/** What an agent finds on our side. */
export interface Desk {
  readonly files: AgentFiles;
  readonly terminals: Terminals;
  readonly permissions: Permissions;
  /** the session that is ours; null: there is none yet */
  readonly session: () => string | null;
  readonly update: (update: Update) => void;
  /** the kind of a tool call that goes on */
  readonly kindOf: (call: string) => string | null;
  readonly say: (line: string) => void;
  /** asks a person for leave; null: nobody answered */
  readonly ask: (wish: Wish) => Promise<"allow" | "reject" | null>;
  /** it asked for what only a person may allow, and nobody answered */
  readonly asked: (wish: Wish) => void;
}

/** Asks a person, and waits until there is an answer, its time is over (null), or the signal aborts (null). */
export type AskLeave = (wish: Wish, signal: AbortSignal) => Promise<"allow" | "reject" | null>;

/** The capabilities that we tell: files and terminals are served here, so that what an agent does through them is bounded. */
export const CAPABILITIES = { fs: { readTextFile: true, writeTextFile: true }, terminal: true } as const;

/** Our side of a connection. A method that is not here is answered with "not found", a notification is left alone. */
export function clientApp(desk: Desk): ClientApp {
  const { files, terminals } = desk;
  return client({ name: "pawl" })
    .onRequest("session/request_permission", asIs, ({ params }) => permit(params, desk))
    .onRequest("fs/read_text_file", ({ params }) => ({ content: files.read(params) }))
    .onRequest("fs/write_text_file", async ({ params: { path, content } }) => {
      const done = files.write(path, content);
      await done.catch((error: RequestError) => desk.say(`refused write ${path}: ${error.message}`));
      await done;
      desk.say(`write  ${path}`);
      return {};
    })
    .onRequest("terminal/create", ({ params }) => {
      desk.say(`run    ${[params.command, ...(params.args ?? [])].join(" ")}`);
      return { terminalId: terminals.create(params) };
    })
    .onRequest("terminal/output", ({ params }) => terminals.output(params.terminalId))
    .onRequest("terminal/wait_for_exit", async ({ params }) => ({
      ...(await terminals.waitForExit(params.terminalId)),
    }))
    .onRequest("terminal/kill", async ({ params }) => {
      await terminals.kill(params.terminalId);
      return {};
    })
    .onRequest("terminal/release", async ({ params }) => {
      await terminals.release(params.terminalId);
      return {};
    });
}

/** Read by hand, and leniently. */
const asIs = (params: unknown): unknown => params;

/** Takes what an agent says of its work. Another session's words are nobody's here. */
export function takeUpdate(params: unknown, desk: Pick<Desk, "session" | "update" | "say">): void {
  const read = readUpdate(params);
  if (read === null) return desk.say("an update that cannot be read was left out");
  const ours = desk.session();
  if (ours !== null && read.session !== ours)
    return desk.say(`an update of session ${read.session.slice(0, 40)} was left out: ours is ${ours}`);
  desk.update(read.update);
}

async function permit(params: unknown, desk: Desk) {
  const wish = readWish(params, desk.kindOf);
  const { barred } = desk.files;
  const policy = answerWish(wish, { permissions: desk.permissions, barred });
  const said = policy.leave === "ask" ? await desk.ask(wish) : null;
  const { leave, why, option } =
    said === null ? policy : answerWish(wish, { permissions: { [wish.kind]: said }, barred });
  const words = `${wish.kind} ${wish.title}`;
  if (leave === "ask") desk.asked(wish);
  desk.say(`leave  ${leave === "allow" ? "given" : "refused"}: ${words}${why === null ? "" : ` (${why})`}`);
  if (option === null) {
    if (leave !== "ask") desk.say(`leave  no option of it says ${leave}: it is cancelled`);
    return { outcome: { outcome: "cancelled" as const } };
  }
  return { outcome: { outcome: "selected" as const, optionId: option } };
}
