import type { Instant, Ms } from "../../../domain/names.ts";

/** What clock a person looks at. */
export interface Face {
  readonly now: Instant;
  /** minutes east of UTC at that time */
  readonly offset: (at: Instant) => number;
}

/** The time zone of this machine. */
export const localOffset = (at: Instant): number => -new Date(at).getTimezoneOffset();

const two = (n: number): string => String(n).padStart(2, "0");
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A moment as its local fields, read as if they were UTC. */
const fields = (at: Instant, { offset }: Face): Date => new Date(at + offset(at) * 60_000);

/** `09:31`; of another day `27 Nov 09:31`, of another year with it. */
export function time(at: Instant, face: Face): string {
  const [then, now] = [fields(at, face), fields(face.now, face)];
  const clock = `${two(then.getUTCHours())}:${two(then.getUTCMinutes())}`;
  const day = `${then.getUTCDate()} ${MONTHS[then.getUTCMonth()]}`;
  if (then.getUTCFullYear() !== now.getUTCFullYear()) return `${day} ${then.getUTCFullYear()} ${clock}`;
  return then.getUTCMonth() === now.getUTCMonth() && then.getUTCDate() === now.getUTCDate() ? clock : `${day} ${clock}`;
}

/** The same for a narrow column: of another day the day alone. */
export const dayOrTime = (at: Instant, face: Face): string => time(at, face).replace(/(?<=.) \d\d:\d\d$/, "");

/** `09:31:04` */
export function timeWithSeconds(at: Instant, face: Face): string {
  const then = fields(at, face);
  return [then.getUTCHours(), then.getUTCMinutes(), then.getUTCSeconds()].map(two).join(":");
}

/** A time that has passed, in both forms: `09:31 (22m)`. */
export const past = (at: Instant, face: Face): string => `${time(at, face)} (${rough(face.now - at)})`;

/** A time to come, in both forms: `09:44 (12m)`. What is over is due now. */
export const ahead = (at: Instant, face: Face): string =>
  at <= face.now
    ? `${time(at, face)} (now)`
    : `${time(at, face)} (${rough(Math.ceil((at - face.now) / 1_000) * 1_000)})`;

/** How long, in at most two units, seconds only below a minute: `40s`, `12m`, `2h05m`, `2d23h`. */
export const rough = (ms: Ms): string => spoken(ms, false);

/** How long something took: `40s`, `4m02s`, `2h05m`, `2d23h`. */
export const exact = (ms: Ms): string => spoken(ms, true);

function spoken(ms: Ms, withSeconds: boolean): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return withSeconds ? `${minutes}m${two(seconds % 60)}s` : `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d${hours % 24}h`;
}
