import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A PostgreSQL server of one's own, on a socket in a temporary folder. */
export interface Cluster {
  /** address of its database, over the socket; with another user or parameters where they are given */
  url(of?: { user?: string; password?: string; parameters?: Readonly<Record<string, string>> }): string;
  /** path of the socket, for a proxy */
  readonly socket: string;
  /** runs SQL as its owner */
  sql(text: string): string;
  /** puts a line before the rules that say who is let in how, and has them read */
  allow(rule: string): void;
  /** `immediate`: as a crash does it */
  stop(how?: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** stops it, and takes it away */
  remove(): Promise<void>;
}

/** Where a PostgreSQL program lies: on the path, or where Debian puts it. Null: it is not installed. */
export function postgresProgram(name: string): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/**
 * `durable: false` spares the disk: what a killed processor left is there all the same. `models`: a folder in which the
 * first one leaves an empty server, which the others copy.
 */
export async function startCluster({
  durable = false,
  models,
}: {
  durable?: boolean;
  models?: string;
} = {}): Promise<Cluster> {
  const root = mkdtempSync(join(tmpdir(), "pawl-pg-"));
  const data = join(root, "data");
  mkdirSync(data);
  chmodSync(root, 0o711);
  const who = owner();
  for (const folder of who ? [root, data] : []) chownSync(folder, who!.uid, who!.gid);
  const program = (name: string, args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(postgresProgram(name)!, args, { ...who, cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    return stdout;
  };
  copyOrMake(data, models, () =>
    program("initdb", ["-D", data, "-U", "pawl", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]),
  );
  appendFileSync(join(data, "postgresql.conf"), settings(root, durable));
  let server: ChildProcess | null = null;
  const cluster: Cluster = {
    socket: join(root, ".s.PGSQL.5432"),
    url: ({ user = "pawl", password, parameters = {} } = {}) =>
      `postgres://${user}${password === undefined ? "" : `:${password}`}@/postgres?${new URLSearchParams({ host: root, ...parameters })}`,
    sql: (text) =>
      program("psql", ["-h", root, "-U", "pawl", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-Atc", text]).trim(),
    allow(rule) {
      const rules = join(data, "pg_hba.conf");
      writeFileSync(rules, `${rule}\n${readFileSync(rules, "utf8")}`);
      cluster.sql("SELECT pg_reload_conf()");
    },
    async start() {
      server = serve(data, who);
      await listens(cluster.socket);
    },
    async stop(how = "fast") {
      if (!server) return;
      const gone = once(server, "exit");
      server.stdin!.end(how === "fast" ? "INT" : "QUIT");
      server = null;
      await gone;
    },
    async remove() {
      await cluster.stop("immediate");
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await cluster.start();
  return cluster;
}

/** Whole or not at all: of two that make the model at once, one is kept. */
function copyOrMake(data: string, models: string | undefined, make: () => void): void {
  const model = models && join(models, "postgres");
  if (model && existsSync(model)) return copy(model, data);
  make();
  if (!model) return;
  const draft = `${model}-${process.pid}`;
  mkdirSync(draft);
  copy(data, draft);
  try {
    renameSync(draft, model);
  } catch {
    // The other one was first.
    rmSync(draft, { recursive: true });
  }
}

/** With its owners and rights, which the server looks at. */
const copy = (from: string, to: string): void => void spawnSync("cp", ["-a", `${from}/.`, to]);

/** The server refuses to run as root: then it is Debian's own user for it, or nobody. */
function owner(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (user: string, which: string) => Number(spawnSync("id", [which, user], { encoding: "utf8" }).stdout);
  const user = spawnSync("id", ["postgres"]).status === 0 ? "postgres" : "nobody";
  return { uid: idOf(user, "-u"), gid: idOf(user, "-g") };
}

const settings = (root: string, durable: boolean): string => `
listen_addresses = ''
unix_socket_directories = '${root}'
shared_buffers = 32MB
max_connections = 100
autovacuum = ${durable ? "on" : "off"}
fsync = ${durable ? "on" : "off"}
logging_collector = off
`;

/** Under a shell that ends it when its stdin does, by the signal named there: a test that is killed leaves no server behind. */
function serve(data: string, who: ReturnType<typeof owner>): ChildProcess {
  const script = `"$0" -D "$1" >> "$1/log" 2>&1 & pid=$!
    read -r how; kill -"\${how:-QUIT}" $pid; wait $pid`;
  return spawn("sh", ["-c", script, postgresProgram("postgres")!, data], {
    ...who,
    cwd: data,
    stdio: ["pipe", "ignore", "ignore"],
  });
}

async function listens(socket: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await answers(socket)) return;
    await pause(20);
  }
  throw new Error(`no server at ${socket}`);
}

/** Whether the server takes a session: while it starts it answers the same words with an error. */
function answers(socket: string): Promise<boolean> {
  const words = Buffer.from("user\0pawl\0database\0postgres\0\0");
  const hello = Buffer.alloc(8);
  hello.writeInt32BE(words.length + 8);
  hello.writeInt32BE(196_608, 4);
  return new Promise((resolve) => {
    const connection = createConnection(socket, () => connection.write(Buffer.concat([hello, words])));
    connection.once("data", (bytes) => {
      connection.destroy();
      resolve(bytes[0] === "R".charCodeAt(0));
    });
    connection.once("error", () => resolve(false));
  });
}
