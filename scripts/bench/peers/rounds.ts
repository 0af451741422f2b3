import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { bundle } from "../../../test/support/bundle.ts";
import { fsyncsPerSecond } from "../fsyncs.ts";
import { SIDES } from "./all.ts";
import { installed } from "./install.ts";
import type { Wanted } from "./one.ts";
import { type Peer, PHASES } from "./peer.ts";
import { startServers } from "./servers.ts";
import type { Ran } from "./watch.ts";

export interface RoundsOptions {
  readonly rounds: number;
  readonly tasks: number;
  readonly peerTasks: number;
  readonly inFlight: number;
}

/** All but the first quarter, in which everybody gets warm. */
export const countedSteps = (tasks: number): number => Math.floor((tasks * PHASES * 3) / 4);

export interface Side {
  readonly peer: Peer;
  readonly tasks: number;
  /** by round */
  readonly runs: readonly Ran[];
}

export interface Measured {
  readonly sides: readonly Side[];
  /** by round */
  readonly fsyncs: readonly number[];
  readonly servers: string;
}

/**
 * All sides take turns, each run in a process and on a ground of its own; who goes first changes with the round. Pawl
 * is bundled first, like what is shipped. A run whose ledger is not whole ends it all.
 */
export async function measureRounds(options: RoundsOptions): Promise<Measured> {
  const packages = installed([...new Set(SIDES.flatMap((peer) => peer.packages))]);
  const bundled = resolve("node_modules/.cache/pawl-bench-peers");
  await bundle({ one: resolve("scripts/bench/peers/one.ts") }, bundled);
  const root = mkdtempSync(join(process.env.PAWL_BENCH_DIR ?? tmpdir(), "pawl-peers-"));
  const servers = await startServers();
  const sides = SIDES.map((peer) => ({
    peer,
    tasks: peer.packages.length === 0 || peer.server === "redis" ? options.tasks : options.peerTasks,
    runs: [] as Ran[],
  }));
  const fsyncs: number[] = [];
  try {
    for (let round = 0; round < options.rounds; round++) {
      fsyncs.push(fsyncsPerSecond(root, 500));
      for (let i = 0; i < sides.length; i++) {
        const { peer, tasks, runs } = sides[(i + round) % sides.length]!;
        const folder = join(root, `${round}-${i}`);
        mkdirSync(folder);
        const server = peer.server === null ? null : await servers.fresh(peer.server, folder);
        const ground = { folder, server: server && { address: server.address, pid: server.pid }, packages };
        const warmUp = tasks * PHASES - countedSteps(tasks);
        const wanted: Wanted = { peer: peer.name, tasks, inFlight: options.inFlight, warmUp, ground };
        const ran = await runOne(join(bundled, "one.mjs"), wanted).finally(() => server?.remove());
        runs.push(ran);
        console.error(
          `round ${round + 1}  ${peer.name.padEnd(28)} ${(countedSteps(tasks) / ran.seconds).toFixed(0)} steps/s`,
        );
        rmSync(folder, { recursive: true });
      }
    }
    return { sides, fsyncs, servers: servers.versions };
  } finally {
    await servers.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function runOne(program: string, wanted: Wanted): Promise<Ran> {
  const child = spawn(process.execPath, ["--no-deprecation", program, JSON.stringify(wanted)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const out = await text(child.stdout);
  const [code] = await gone;
  if (code !== 0) throw new Error(`${wanted.peer} ended with ${code}`);
  return JSON.parse(out.trim().split("\n").at(-1)!) as Ran;
}
