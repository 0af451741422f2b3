import { plain } from "../../workspace/commands/plain.ts";
import { redactor } from "../../workspace/commands/redact.ts";
import { secretsOf } from "../../workspace/commands/secrets.ts";

/** A text from outside as a model may see it: at most `most` characters, and it says where it was cut. */
export type Cleaned = (text: string, most: number) => string;

/** Takes out control characters, and secrets: those of this environment, and what has the shape of one. */
export function cleaning(env: Readonly<Record<string, string | undefined>>): Cleaned {
  const { text: without } = redactor(secretsOf(env));
  return (text, most) => cut(without(plain(text)), most);
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const words = `\n[cut: ${text.length - most} characters and more left out]`;
  return `${text.slice(0, Math.max(0, most - words.length)).replace(/[\ud800-\udbff]$/, "")}${words}`;
}
