import { createHash } from "node:crypto";
import { refuseUnless } from "./valid.ts";

/** What a provider puts beside a thought, so that it is taken back unchanged only. */
export const signatureOf = (thought: string): string => `sig+${createHash("sha256").update(thought).digest("base64")}`;

export const checkSignature = (thought: string, signature: unknown, where: string): void =>
  refuseUnless(signature === signatureOf(thought), `${where}: Invalid \`signature\` in \`thinking\` block`);

/** A thought that only the provider can read: OpenAI's encrypted content. */
export const sealed = (thought: string): string => `${Buffer.from(thought).toString("base64")}.${signatureOf(thought)}`;
export function opened(content: unknown, where: string): string {
  const [body = "", signature] = typeof content === "string" ? content.split(".") : [];
  const thought = Buffer.from(body, "base64").toString("utf8");
  refuseUnless(signature === signatureOf(thought), `${where}: The encrypted content could not be verified.`);
  return thought;
}
