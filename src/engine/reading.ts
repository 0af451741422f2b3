import type { Input } from "../domain/input.ts";
import type { TaskId } from "../domain/names.ts";
import { isKnown } from "../domain/terms.ts";
import type { Reading, ReadSpec } from "../ports/source.ts";
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
  let there = 0;
  for (const one of specs) {
    if (one.isIn?.(board.seeds)) {
      there++;
      continue;
    }
    if (board.ended.has(one.id)) continue;
    const known = board.seeds.get(one.id) ?? board.rows.get(one.id);
    if (known) there++;
    if (!known || !isKnown(known, one.spec, one.terms)) news.push(...read(one, known === undefined));
  }
  // which files there are is not certain: the folder may be another one, or a file be any task's
  if (errors.length > 0 && settings === null) return news;
  if (unread.some(({ id, isSure }) => !isSure && !isOnBoard(id, board))) return news;
  // mostly all of them are there: then nobody has to be looked for
  if (there < board.rows.size + board.seeds.size)
    for (const task of goneOf([...specs, ...unread], board)) say({ kind: "spec-gone", task });
  return news;
}

function goneOf(files: readonly { readonly id: string }[], { rows, seeds }: Board): readonly TaskId[] {
  const there = new Set<string>(files.map(({ id }) => id));
  return [...rows.values(), ...seeds.values()].flatMap(({ id, gone }) => (there.has(id) || gone ? [] : [id]));
}

/** A text that is away already comes with the next reading. */
function read(of: ReadSpec, isNew: boolean): readonly Arrived[] {
  const { id, spec, bytes, terms, landed } = of;
  if (bytes === null) return [];
  const input = { kind: "spec-read", task: id, spec, terms, ...(landed && isNew ? { landed } : {}) } as const;
  return [{ input, blobs: new Map([[spec, bytes]]) }];
}

const isOnBoard = (id: string, { rows, seeds, ended }: Board): boolean =>
  [rows, seeds, ended].some((some: { has(id: TaskId): boolean }) => some.has(id as TaskId));
