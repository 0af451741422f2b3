import type { Filled } from "./dialect.ts";
import type { Answer, Asked, ReplyCall } from "./script.ts";

/** An answer with all that a script left out. Tokens, where it names none: a quarter of the characters. */
export function fill(
  answer: Answer,
  { asked, key, bytes }: { asked: Asked; key: string | null; bytes: number },
): Filled {
  const text = answer.echoKey ? `the key is ${key}, as you know` : (answer.text ?? "");
  const calls = (answer.calls ?? []).map((call, i) => ({
    id: call.id ?? `call_${asked.n}_${i + 1}`,
    name: call.name,
    input: inputOf(call),
  }));
  const said = text.length + calls.reduce((sum, { input }) => sum + input.length, 0);
  const usage = {
    cached: 0,
    written: 0,
    ...(answer.usage ?? { input: Math.ceil(bytes / 4), output: Math.ceil(said / 4) }),
  };
  return {
    ...answer,
    text,
    thought: answer.thought ?? "",
    calls,
    usage,
    stop: answer.stop ?? "end",
    step: answer.step ?? 8,
  };
}

const inputOf = ({ args, rawArgs }: ReplyCall): string => rawArgs ?? JSON.stringify(args ?? {});
