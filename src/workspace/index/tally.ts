/** Counts things that are known by two numbers of 32 bits; each thing has a place, which it keeps until `clear`. */
export interface Tally {
  /** things that have a place */
  readonly size: number;
  /** counts it `times` more, and gives its place */
  add(low: number, high: number, times: number): number;
  /** tells every thing that was counted since the last time, and sets its count to none */
  drain(tell: (place: number, times: number) => void): void;
  /** the first numbers of what was counted, ascending, and how often (at most 65,535); everything is forgotten then */
  sorted(): { readonly words: Uint32Array; readonly counts: Uint16Array };
  clear(): void;
}

const MOST = 65_535;

/** A table with open addressing: a text of thousands of names costs no object for each. */
export function tally(): Tally {
  let slots = new Int32Array(1 << 12).fill(-1);
  let lows = new Int32Array(1 << 11);
  let highs = new Int32Array(1 << 11);
  let counts = new Uint32Array(1 << 11);
  let size = 0;
  const counted: number[] = [];

  function slotOf(low: number, high: number): number {
    const mask = slots.length - 1;
    let slot = (low ^ (low >>> 15)) & mask;
    for (let at = slots[slot]!; at !== -1; at = slots[slot]!) {
      if (lows[at] === low && highs[at] === high) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  function grow(): void {
    [lows, highs] = [longer(lows), longer(highs)];
    const more = new Uint32Array(counts.length * 2);
    more.set(counts);
    counts = more;
    slots = new Int32Array(slots.length * 2).fill(-1);
    for (let place = 0; place < size; place++) slots[slotOf(lows[place]!, highs[place]!)] = place;
  }

  function clear(): void {
    slots.fill(-1);
    counts.fill(0);
    counted.length = 0;
    size = 0;
  }

  return {
    get size() {
      return size;
    },
    add(low, high, times) {
      if (size === lows.length) grow();
      const slot = slotOf(low, high);
      let place = slots[slot]!;
      if (place === -1) {
        place = size++;
        slots[slot] = place;
        lows[place] = low;
        highs[place] = high;
      }
      if (counts[place] === 0) counted.push(place);
      counts[place]! += times;
      return place;
    },
    drain(tell) {
      for (const place of counted) {
        tell(place, counts[place]!);
        counts[place] = 0;
      }
      counted.length = 0;
    },
    sorted() {
      const words = Uint32Array.from(counted, (place) => lows[place]! >>> 0).sort();
      const times = Uint16Array.from(words, (word) => Math.min(MOST, counts[slots[slotOf(word | 0, 0)]!]!));
      clear();
      return { words, counts: times };
    },
    clear,
  };
}

function longer(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(numbers.length * 2);
  more.set(numbers);
  return more;
}
