import type { Redactor } from "../secret.ts";

/**
 * An answer's text without keys. A model that says a key says it in pieces, one event after the other: the pieces that
 * come at the same place of their events are read as one text. Events that held a piece are written anew.
 */
export function masked(body: string, hide: Redactor): string {
  const plain = hide.text(body);
  const lines = /^data:/m.test(plain) ? plain.split("\n") : [plain];
  const events = lines.map((line) => parsed(line.replace(/^data:/, "")));
  const places = new Map<string, Piece[]>();
  events.forEach((event, line) => {
    collect(event, { line, path: "", places });
  });
  const changed = new Set<number>();
  for (const pieces of places.values()) for (const line of maskPieces(pieces, hide)) changed.add(line);
  const head = (line: string) => (line.startsWith("data:") ? "data: " : "");
  return lines.map((line, i) => (changed.has(i) ? head(line) + JSON.stringify(events[i]) : line)).join("\n");
}

interface Piece {
  readonly line: number;
  readonly text: string;
  readonly replace: (text: string) => void;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every text of an event, under its place: the keys that lead to it, and the number of the block that it belongs to. */
function collect(value: unknown, at: { line: number; path: string; places: Map<string, Piece[]> }): void {
  if (typeof value !== "object" || value === null) return;
  const holder = value as Record<string, unknown>;
  const number = holder.index ?? holder.output_index ?? "";
  for (const [key, inner] of Object.entries(holder)) {
    const path = `${at.path}/${number}/${Array.isArray(value) ? "" : key}`;
    if (typeof inner !== "string") collect(inner, { ...at, path });
    else {
      const pieces = at.places.get(path) ?? [];
      at.places.set(path, pieces);
      pieces.push({ line: at.line, text: inner, replace: (text) => (holder[key] = text) });
    }
  }
}

/** The lines in which something was taken out. */
function maskPieces(pieces: readonly Piece[], hide: Redactor): readonly number[] {
  const whole = pieces.map(({ text }) => text).join("");
  if (hide.text(whole) === whole) return [];
  const stream = hide.stream();
  return pieces.map(({ line, text, replace }, i) => {
    replace(stream.push(text) + (i === pieces.length - 1 ? stream.end() : ""));
    return line;
  });
}
