import type { Update } from "./update.ts";

const MOST_LINE = 2_000;

/** Writes what an agent says and does as lines for people: its words as whole lines, each tool call when it begins and ends. */
export function logLines(say: (line: string) => void): {
  readonly add: (update: Update) => void;
  readonly flush: () => void;
} {
  let open: { readonly kind: string; text: string } | null = null;
  const flush = () => {
    if (open !== null && open.text !== "") say(cut(`${open.kind} ${open.text}`));
    open = null;
  };
  const talk = (kind: string, text: string) => {
    if (open?.kind !== kind) flush();
    open ??= { kind, text: "" };
    const lines = `${open.text}${text}`.split("\n");
    open.text = lines.pop()!;
    for (const line of lines) say(cut(`${kind} ${line}`));
    if (open.text.length > MOST_LINE) flush();
  };
  return {
    flush,
    add(update) {
      if (update.kind === "message") return talk("says", update.text);
      if (update.kind === "thought") return talk("thinks", update.text);
      const line = lineOf(update);
      if (line === null) return;
      flush();
      say(cut(line));
    },
  };
}

function lineOf(update: Update): string | null {
  switch (update.kind) {
    case "tool": {
      const diffs = update.diffs.map(({ path, lines }) => ` ${path} (${lines} lines)`).join("");
      // what goes on was told when it began
      if (update.title === null && update.status !== "completed" && update.status !== "failed") return null;
      return `tool   ${[update.does, update.title, update.status, diffs].filter(Boolean).join(" ")}`;
    }
    case "plan":
      return `plan   ${update.entries.map(({ text, status }) => `[${MARKS[status]}] ${text}`).join("  ")}`;
    case "notice":
      return `notice ${update.text}`;
    case "message":
    case "thought":
    case "prompt":
    case "usage":
    case "other":
      return null;
  }
}
const MARKS = { pending: " ", in_progress: ">", completed: "x" } as const;

const cut = (line: string): string =>
  line.length <= MOST_LINE ? line : `${line.slice(0, MOST_LINE)} [${line.length - MOST_LINE} more characters]`;
