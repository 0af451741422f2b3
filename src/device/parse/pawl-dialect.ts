import type { Coordinate, DeviceAction } from "../device-action.ts";
import type { Dialect } from "./dialect.ts";
import { checkNames, type Fields, fieldsOf } from "./fields.ts";
import { JSON_OBJECTS } from "./grammar.ts";
import { Unreadable } from "./unreadable.ts";

/** The JSON of the specification: `{"action": "tap", "coordinate": [0.5, 0.3]}`. */
export const PAWL: Dialect = {
  grammar: JSON_OBJECTS,
  mean(value, place) {
    const fields = fieldsOf(value, "an action");
    checkNames(fields, NAMES);
    if (fields.mark === undefined || fields.mark === null) return withPlaces(fields, place);
    if (Array.isArray(fields.coordinate)) throw new Unreadable("mark and coordinate say two places; say one");
    return { ...fields, coordinate: place({ mark: fields.mark }) };
  },
  write: (action, place) => JSON.stringify(withPlaces(action as unknown as Fields, (at) => place(at as Coordinate))),
  frame: (thinking, written) => (thinking === "" ? written : `${thinking}\n\n${written}`),
};

const NAMES: ReadonlySet<string> = new Set(
  "action coordinate start end duration text app seconds question tool args reason mark".split(" "),
);

/** An action's fields with every place in them changed; a place that is missing stays so, and is told of later. */
export function withPlaces(fields: Fields, change: (value: unknown) => unknown): Fields {
  const places = PLACES[fields.action as DeviceAction["action"]] ?? [];
  const changed = places.filter((key) => Array.isArray(fields[key])).map((key) => [key, change(fields[key])]);
  return { ...fields, ...Object.fromEntries(changed) };
}

const PLACES: Readonly<Partial<Record<DeviceAction["action"], readonly string[]>>> = {
  tap: ["coordinate"],
  double_tap: ["coordinate"],
  long_press: ["coordinate"],
  swipe: ["start", "end"],
};
