import type { HostName } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Git, Processes } from "../../ports/system.ts";

/** What a host stands on. Paths are absolute. */
export interface HostParts {
  /** main checkout */
  readonly repo: string;
  /** .pawl */
  readonly state: string;
  readonly worktreeRoot: string;
  readonly git: Git;
  readonly processes: Processes;
  readonly clock: Clock;
  /** the command that runs this program, for workers' `pawl progress` and `pawl verdict` */
  readonly pawl: readonly string[];
  /** the command that drives a leg, its folder comes last; default: `pawl drive command` */
  readonly driver?: readonly string[];
  readonly name: HostName;
}
