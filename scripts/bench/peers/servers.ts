import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, postgresProgram, startCluster } from "../../../test/support/cluster.ts";
import type { Ground } from "./peer.ts";

type Server = NonNullable<Ground["server"]>;

/** The servers of the peers, by Debian's programs, on scratch folders and sockets. Throws where one is not installed. */
export interface Servers {
  readonly versions: string;
  /** an empty database of PostgreSQL, or an empty Redis, for one run, with the servers at rest */
  fresh(kind: "postgres" | "redis", folder: string): Promise<Server & { remove(): Promise<void> }>;
  close(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  if (postgresProgram("initdb") === null) throw new Error("PostgreSQL is missing: apt install postgresql");
  const redis = spawnSync("redis-server", ["--version"], { encoding: "utf8" });
  if (redis.status !== 0) throw new Error("Redis is missing: apt install redis-server");
  const cluster = await startCluster({ durable: true });
  cluster.sql("ALTER SYSTEM SET shared_buffers = '256MB'");
  await cluster.stop();
  await cluster.start();
  let databases = 0;
  return {
    versions: `PostgreSQL ${cluster.sql("SHOW server_version")} (fsync on, shared_buffers 256MB), Redis ${/v=(\S+)/.exec(redis.stdout)?.[1]}; both over sockets`,
    fresh: (kind, folder) => (kind === "redis" ? startRedis(folder) : database(cluster, `bench_${++databases}`)),
    close: () => cluster.remove(),
  };
}

async function database(cluster: Cluster, name: string): Promise<Server & { remove(): Promise<void> }> {
  cluster.sql(`CREATE DATABASE ${name}`);
  cluster.sql("CHECKPOINT");
  const pid = Number(readFileSync(join(dirname(cluster.socket), "data", "postmaster.pid"), "utf8").split("\n")[0]);
  return {
    address: cluster.url().replace("/postgres?", `/${name}?`),
    pid,
    remove: async () => void cluster.sql(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function startRedis(folder: string): Promise<Server & { remove(): Promise<void> }> {
  const dir = join(folder, "redis");
  const socket = join(dir, "socket");
  mkdirSync(dir);
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const server = spawn("redis-server", ["--port", "0", "--unixsocket", socket, "--dir", dir, ...durable], {
    stdio: "ignore",
  });
  const gone = once(server, "exit");
  while (!existsSync(socket))
    await Promise.race([pause(20), gone.then(() => Promise.reject(new Error("Redis ended")))]);
  return {
    address: socket,
    pid: server.pid!,
    async remove() {
      server.kill("SIGKILL");
      await gone;
    },
  };
}
