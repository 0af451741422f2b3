import type { Clock } from "../../ports/clock.ts";
import { after, type Doing, nothingDone } from "./doing.ts";
import { logLines } from "./log-lines.ts";
import type { Update } from "./update.ts";

/** Follows one agent: the log at once, its progress at most once a second, and the last of it for certain. */
export interface Following {
  add(update: Update): void;
  doing(): Doing;
  /** writes what is not written yet; nothing is written after it but by another `add` */
  flush(): void;
}

const EVERY_MS = 1_000;

/** `tell`: takes what is to be seen of the work now; it is called when something changed, and not more often than once a second. */
export function follow(of: {
  readonly clock: Clock;
  readonly say: (line: string) => void;
  readonly tell: (doing: Doing) => void;
}): Following {
  const log = logLines(of.say);
  let doing = nothingDone;
  let told = nothingDone;
  let toldAt = -EVERY_MS;
  let late: AbortController | null = null;
  const write = () => {
    late?.abort();
    late = null;
    if (doing === told) return;
    told = doing;
    toldAt = of.clock.read().mono;
    of.tell(doing);
  };
  const soon = () => {
    if (late !== null) return;
    const wait = new AbortController();
    late = wait;
    const ms = Math.max(0, toldAt + EVERY_MS - of.clock.read().mono);
    void of.clock.sleep(ms, wait.signal).then(() => (wait.signal.aborted ? undefined : write()));
  };
  return {
    add(update) {
      log.add(update);
      doing = after(doing, update);
      if (doing !== told) soon();
    },
    doing: () => doing,
    flush() {
      log.flush();
      write();
    },
  };
}
