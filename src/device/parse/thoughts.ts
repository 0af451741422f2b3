/** An answer without the thoughts that stand before it. */
export interface Aside {
  readonly thoughts: string;
  readonly rest: string;
  /** a thought that never ends: nothing behind it was said */
  readonly isOpen: boolean;
}

const OPEN = /^\s*<(think|thinking|grounding_think)>/;
const CLOSE = /<\/(?:think|thinking|grounding_think)>/g;

/**
 * Takes off thoughts between tags. Servers often swallow the opening one: then all before the closing one is a thought,
 * unless that stands inside an action, as a part of a text; `spans`: where actions are.
 */
export function thoughtsAside(text: string, spans: (text: string) => readonly Span[]): Aside {
  const thoughts: string[] = [];
  let rest = text.replace(/^\ufeff/, "");
  for (let open = OPEN.exec(rest); open !== null; open = OPEN.exec(rest)) {
    const close = new RegExp(`</${open[1]}>`).exec(rest);
    if (close === null) return { thoughts: rest.slice(open[0].length).trim(), rest: "", isOpen: true };
    thoughts.push(rest.slice(open[0].length, close.index).trim());
    rest = rest.slice(close.index + close[0].length);
  }
  const end = thoughts.length > 0 ? null : endOfThought(rest, spans);
  if (end !== null) thoughts.push(rest.slice(0, end.at).trim());
  return {
    thoughts: thoughts.filter(Boolean).join("\n"),
    rest: end === null ? rest : rest.slice(end.end),
    isOpen: false,
  };
}

interface Span {
  readonly at: number;
  readonly end: number;
}

/** The first closing tag that is no part of an action. */
function endOfThought(text: string, spans: (text: string) => readonly Span[]): Span | null {
  const closes = [...text.matchAll(CLOSE)].map(({ index, 0: tag }) => ({ at: index, end: index + tag.length }));
  if (closes.length === 0) return null;
  const actions = spans(text);
  return closes.find(({ at }) => !actions.some((action) => action.at < at && at < action.end)) ?? null;
}
