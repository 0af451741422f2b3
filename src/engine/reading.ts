import type { Input } from "../domain/input.ts";
import type { TaskId } from "../domain/names.ts";
import { isKnown } from "../domain/terms.ts";
import type { Reading } from "../ports/source.ts";
import type { Board } from "./board.ts";
import type { Arrived } from "./intake.ts";

/** What files say that the board does not know yet, as inputs. A file with a fault is neither changed nor gone. */
export function newsOf({ settings, specs, unread, errors }: Reading, board: Board): readonly Arrived[] {
  const news: Arrived[] = [];
  const say = (input: Input) => news.push({ input });
  if (settings) {
    if (JSON.stringify(settings.limits) !== JSON.stringify(board.backlog.limits))
      say({ kind: "settings-read", limits: settings.limits });
    for (const map of settings.maps) if (board.backlog.maps[map.name] !== map.hash) say({ kind: "map-read", map });
  }
  for (const { id, spec, bytes, terms, landed } of specs) {
    if (board.ended.has(id)) continue;
    const known = board.rows.get(id) ?? board.seeds.get(id);
    if (!known || !isKnown(known, spec, terms))
      news.push({
        input: { kind: "spec-read", task: id, spec, terms, ...(landed && !known ? { landed } : {}) },
        blobs: new Map([[spec, bytes]]),
      });
  }
  // which files there are is not certain: the folder may be another one, or a file be any task's
  if (errors.length > 0 && settings === null) return news;
  if (unread.some(({ id, isSure }) => !isSure && !isOnBoard(id, board))) return news;
  const there = new Set<string>([...specs, ...unread].map(({ id }) => id));
  for (const known of [...board.rows.values(), ...board.seeds.values()])
    if (!there.has(known.id) && !known.gone) say({ kind: "spec-gone", task: known.id });
  return news;
}

const isOnBoard = (id: string, { rows, seeds, ended }: Board): boolean =>
  [rows, seeds, ended].some((some: { has(id: TaskId): boolean }) => some.has(id as TaskId));
