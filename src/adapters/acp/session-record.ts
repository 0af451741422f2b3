import { z } from "zod";

/** The file in a run folder that holds the record of its agent's session. */
export const SESSION_FILE = "session.json";

/** What has to be known of an agent's session after a crash: durable before anything is sent into it. */
export const sessionRecordSchema = z.object({
  version: z.literal(1),
  /** the agent's own id of it */
  session: z.string(),
  /** the command that it was started with, and its folder: another agent does not know the session */
  command: z.array(z.string()).readonly(),
  cwd: z.string(),
  /** keys of what was sent, or was just being sent */
  sent: z.array(z.string()).readonly(),
  /** its plan, as far as it told one */
  plan: z.array(z.object({ text: z.string(), status: z.string() })).readonly(),
});
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

/** The line that ends a message of ours: by it a replayed session says whether the message has reached it. */
export const markOf = (key: string): string => `[pawl ${key}]`;

/** Keys of our messages in a text that a session replays. */
export const marksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\[pawl ([^\]\s]{1,200})\]/g)].map((found) => found[1]!);
