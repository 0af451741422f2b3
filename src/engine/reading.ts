import type { Input } from "../domain/input.ts";
import { isKnown } from "../domain/terms.ts";
import type { Reading } from "../ports/source.ts";
import type { Board } from "./board.ts";
import type { Arrived } from "./intake.ts";

/** What files say that the board does not know yet, as inputs. A file with a fault is neither changed nor gone. */
export function newsOf({ settings, specs, errors }: Reading, board: Board): readonly Arrived[] {
  const news: Arrived[] = [];
  const say = (input: Input) => news.push({ input });
  if (settings) {
    if (JSON.stringify(settings.limits) !== JSON.stringify(board.backlog.limits))
      say({ kind: "settings-read", limits: settings.limits });
    for (const map of settings.maps) if (board.backlog.maps[map.name] !== map.hash) say({ kind: "map-read", map });
  }
  for (const { id, spec, bytes, terms } of specs) {
    if (board.ended.has(id)) continue;
    const known = board.rows.get(id) ?? board.seeds.get(id);
    if (!known || !isKnown(known, spec, terms))
      news.push({ input: { kind: "spec-read", task: id, spec, terms }, blobs: new Map([[spec, bytes]]) });
  }
  if (errors.length > 0) return news;
  const there = new Set(specs.map((spec) => spec.id));
  for (const known of [...board.rows.values(), ...board.seeds.values()])
    if (!there.has(known.id) && !known.gone) say({ kind: "spec-gone", task: known.id });
  return news;
}
