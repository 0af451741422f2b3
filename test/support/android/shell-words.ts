/** The shell of a device, as far as programs use it: quotes, `$?`, `$(…)`, `;`, `&&`, `||`, `>`, `2>&1`. */
export interface Statement {
  readonly words: readonly Part[][];
  /** where its output goes; null: to the caller */
  readonly out: readonly Part[] | null;
  readonly mergesErrors: boolean;
  /** when it runs, after the one before */
  readonly when: "always" | "passed" | "failed";
}
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "status" }
  | { readonly kind: "output"; readonly of: string };

type Token = { readonly kind: "word"; readonly parts: Part[] } | { readonly kind: "sign"; readonly sign: string };

const WHEN = { ";": "always", "\n": "always", "&&": "passed", "||": "failed" } as const;

/** Throws where a real one says "no closing quote". */
export function readScript(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let tokens: Token[] = [];
  let when: Statement["when"] = "always";
  const end = (next: Statement["when"]): void => {
    if (tokens.length > 0) statements.push(statementOf(tokens, when));
    tokens = [];
    when = next;
  };
  for (const token of tokensOf(text)) {
    if (token.kind === "sign" && token.sign in WHEN) end(WHEN[token.sign as keyof typeof WHEN]);
    else tokens.push(token);
  }
  end("always");
  return statements;
}

function statementOf(tokens: readonly Token[], when: Statement["when"]): Statement {
  const words: Part[][] = [];
  let out: Part[] | null = null;
  let mergesErrors = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === "word") words.push(token.parts);
    else if (token.sign === "2>&1") mergesErrors = true;
    else {
      const target = tokens[++i];
      if (target?.kind !== "word") throw new SyntaxError("syntax error: unexpected newline");
      if (token.sign === ">") out = target.parts;
    }
  }
  return { words, out, mergesErrors, when };
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let rest = text;
  while (rest !== "") {
    const sign = /^(2>&1|2>|>|&&|\|\||;|\n)/.exec(rest)?.[0];
    const space = /^[ \t\r]+/.exec(rest)?.[0];
    if (space !== undefined) rest = rest.slice(space.length);
    else if (sign !== undefined) {
      tokens.push({ kind: "sign", sign });
      rest = rest.slice(sign.length);
    } else {
      const { parts, length } = wordOf(rest);
      tokens.push({ kind: "word", parts });
      rest = rest.slice(length);
    }
  }
  return tokens;
}

function wordOf(text: string): { parts: Part[]; length: number } {
  const parts: Part[] = [];
  let at = 0;
  while (at < text.length && !/[\s;>]/.test(text[at]!) && !/^(&&|\|\|)/.test(text.slice(at))) {
    const { found, length } = pieceOf(text.slice(at));
    parts.push(...found);
    at += length;
  }
  return { parts: parts.length > 0 ? parts : [{ kind: "text", text: "" }], length: at };
}

function pieceOf(text: string): { found: Part[]; length: number } {
  if (text[0] === "'") {
    const end = closing(text, "'");
    return { found: [{ kind: "text", text: text.slice(1, end) }], length: end + 1 };
  }
  if (text[0] === '"') return doubleQuoted(text);
  if (text[0] === "\\") return { found: [{ kind: "text", text: text[1] ?? "" }], length: 2 };
  return expansion(text) ?? { found: [{ kind: "text", text: text[0]! }], length: 1 };
}

function doubleQuoted(text: string): { found: Part[]; length: number } {
  const found: Part[] = [];
  let at = 1;
  while (text[at] !== '"') {
    if (at >= text.length) throw new SyntaxError("no closing quote");
    const escaped = text[at] === "\\" && /["\\$`]/.test(text[at + 1] ?? "");
    const piece = escaped
      ? { found: [{ kind: "text" as const, text: text[at + 1]! }], length: 2 }
      : (expansion(text.slice(at)) ?? { found: [{ kind: "text" as const, text: text[at]! }], length: 1 });
    found.push(...piece.found);
    at += piece.length;
  }
  return { found: found.length > 0 ? found : [{ kind: "text", text: "" }], length: at + 1 };
}

function expansion(text: string): { found: Part[]; length: number } | null {
  if (text.startsWith("$?")) return { found: [{ kind: "status" }], length: 2 };
  const run = /^\$\(([^)]*)\)|^`([^`]*)`/.exec(text);
  if (run) return { found: [{ kind: "output", of: run[1] ?? run[2]! }], length: run[0].length };
  const name = /^\$\{?\w+\}?/.exec(text)?.[0];
  return name === undefined ? null : { found: [{ kind: "text", text: "" }], length: name.length };
}

function closing(text: string, quote: string): number {
  const end = text.indexOf(quote, 1);
  if (end < 0) throw new SyntaxError("no closing quote");
  return end;
}
