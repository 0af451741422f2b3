/**
 * What was computed from content, kept for the next time; it may be lost at any moment.
 *
 * Contract: `load` gives every record that is whole and of our own version; what is broken is thrown away, and never an
 * error. `save` adds records; several processes may do so at once, and a reader sees each save whole or not at all.
 * A place that cannot be written is no error either: nothing is kept then.
 */
export interface RecordCache {
  load(): ReadonlyMap<string, Uint8Array>;
  save(records: ReadonlyMap<string, Uint8Array>): void;
}
