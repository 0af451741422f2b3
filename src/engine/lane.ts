/** So many pieces of work at once, the others in order of arrival. Work that throws is its own business: it must not. */
export class Lane {
  readonly #width: number;
  readonly #waiting: (() => Promise<void>)[] = [];
  #busy = 0;

  constructor(width: number) {
    this.#width = width;
  }
  add(work: () => Promise<void>): void {
    if (this.#busy >= this.#width) this.#waiting.push(work);
    else this.#begin(work);
  }
  #begin(work: () => Promise<void>): void {
    this.#busy++;
    void work().finally(() => {
      this.#busy--;
      const next = this.#waiting.shift();
      if (next) this.#begin(next);
    });
  }
}
