import type { PawlError } from "../domain/errors.ts";
import type { Probe } from "../ports/probe.ts";

/** Errors alone: warnings are for `pawl validate`. */
export type FaultListener = (errors: readonly PawlError[]) => void;

/** What is wrong with the files, told once and not at every reading. */
export class Faults {
  readonly #probe: Probe;
  readonly #listeners: FaultListener[] = [];
  #told: ReadonlySet<string> = new Set();
  #errors = "[]";

  constructor(probe: Probe) {
    this.#probe = probe;
  }
  listen(listener: FaultListener): void {
    this.#listeners.push(listener);
  }
  /** all that the last reading found, and those of it that keep it from counting */
  found(all: readonly PawlError[], errors: readonly PawlError[]): void {
    const told = this.#told;
    this.#told = new Set(all.map(keyOf));
    for (const error of all) if (!told.has(keyOf(error))) this.#record(error);
    const now = JSON.stringify(errors.map(keyOf));
    if (now === this.#errors) return;
    this.#errors = now;
    for (const listener of this.#listeners) listener(errors);
  }
  #record({ code, message, at }: PawlError): void {
    this.#probe.record({ event: "file_fault", code, message, file: at.file ?? null, line: at.line ?? null });
  }
}

const keyOf = ({ code, message, at }: PawlError): string => JSON.stringify([code, message, at]);
