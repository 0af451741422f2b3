import type { Issues } from "../../adapters/forge/remote/issue.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Parts } from "../../engine/parts.ts";
import type { Probe } from "../../ports/probe.ts";
import type { IntakeSpec, Settings } from "../../ports/settings.ts";
import type { Bell } from "../bell.ts";
import { issuesAt } from "./issues-at.ts";
import { lookAtIssues } from "./look-at-issues.ts";
import { tellIssues } from "./tell-issues.ts";

/**
 * What a processor does with `intake:` while it runs: issues become tasks, and are told where those are. With tasks named
 * on the command line no new ones are taken. `heard` goes to the engine's listeners.
 */
export function composeIntake(of: {
  readonly settings: () => Settings;
  readonly only: boolean;
  readonly store: Parts["store"];
  readonly bell: Bell;
  readonly probe: Probe;
  readonly tell: ((word: string, text: string) => void) | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}): { readonly lookers: NonNullable<Parts["beside"]>; readonly heard: Parameters<Engine["listen"]>[0] } {
  const clients = new Map<string, Promise<Issues>>();
  const issuesFor = (spec: IntakeSpec): Promise<Issues> => {
    const { forge } = of.settings();
    const key = JSON.stringify([forge, spec]);
    // one client keeps what it read, and the limits that it was told of
    const client = clients.get(key) ?? issuesAt(spec, { pawl: { forge }, env: of.env ?? process.env });
    clients.set(key, client);
    return client;
  };
  const told = tellIssues({ ...of, issuesFor });
  return {
    lookers: [...(of.only ? [] : [lookAtIssues({ ...of, issuesFor })]), told.looker],
    heard: (ticked) => told.heard(ticked),
  };
}
