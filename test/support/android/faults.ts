/** What goes wrong with one program of the device. */
export type Fault =
  /** it is done; whether, nobody is told: the answer never comes */
  | { readonly kind: "silent" }
  /** it is done, and then the connection is lost for so long */
  | { readonly kind: "cut"; readonly ms: number }
  /** it is not done */
  | { readonly kind: "refused"; readonly said: string; readonly code: number }
  | { readonly kind: "slow"; readonly ms: number }
  | { readonly kind: "black" | "short" | "empty" }
  /** text before the picture */
  | { readonly kind: "banner"; readonly said: string }
  /** every `every`th character of a long text is lost */
  | { readonly kind: "loses"; readonly every: number };

export type FaultyProgram = "input" | "screencap" | "uiautomator" | "ime" | "am";

/** The fault script: each entry holds for the next `times` calls of its program. */
export class Faults {
  /** every command takes so much longer */
  latencyMs = 0;
  #planned: { program: FaultyProgram; fault: Fault; left: number }[] = [];
  #silent = false;

  plan(program: FaultyProgram, fault: Fault, times = 1): void {
    this.#planned.push({ program, fault, left: times });
  }

  /** what is still to come */
  get planned(): number {
    return this.#planned.reduce((total, { left }) => total + left, 0);
  }

  clear(): void {
    this.#planned = [];
    this.latencyMs = 0;
  }

  /** called by programs: the next fault of this one */
  take(program: FaultyProgram): Fault | null {
    const next = this.#planned.find((entry) => entry.program === program && entry.left > 0);
    if (next === undefined) return null;
    next.left--;
    this.#planned = this.#planned.filter(({ left }) => left > 0);
    return next.fault;
  }

  hush(): void {
    this.#silent = true;
  }
  /** called once at the end of a command */
  isSilent(): boolean {
    const was = this.#silent;
    this.#silent = false;
    return was;
  }
}
