/** What goes wrong at a forge, once, at the next request that fits. */
export interface Fault {
  readonly method?: string;
  readonly path: RegExp;
  /** `after`: it is done, and then this is answered; else it is answered instead */
  readonly after?: boolean;
  /** cut: the connection ends without an answer */
  readonly answer:
    | "cut"
    | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  /** what was answered */
  status: number;
}

/** Faults that wait for their request. */
export function createFaults() {
  const waiting: Fault[] = [];
  return {
    add: (fault: Fault): void => void waiting.push(fault),
    take(method: string, path: string): Fault | null {
      const i = waiting.findIndex((one) => (one.method ?? method) === method && one.path.test(path));
      return i === -1 ? null : waiting.splice(i, 1)[0]!;
    },
  };
}
