import {
  chmodSync,
  close,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lstatSync,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import type { Files, Found, Making, Resolved, Stat } from "../../ports/files.ts";

/** The files of this machine. */
export function systemFiles(): Files {
  return {
    read,
    stat,
    resolve,
    make,
    list: (path) => orElse(() => readdirSync(path), ["ENOENT"], []),
    rename: renameSync,
    unlink: unlinkSync,
    chmod,
    mkdir: (path) => void mkdirSync(path),
    rmdir: rmdirSync,
    flush,
  };
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** O_NONBLOCK: a pipe that nobody writes to is not waited for. */
function read(path: string, maxBytes: number): Found {
  const fd = orElse(
    () => openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
    ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"],
    -1,
  );
  if (fd === -1) return unopened(path);
  try {
    return opened(fd, maxBytes);
  } finally {
    closeSync(fd);
  }
}

function opened(fd: number, maxBytes: number): Found {
  const stats = fstatSync(fd);
  if (!stats.isFile()) return { kind: kindOf(stats) };
  if (stats.size > maxBytes) return { kind: "too-big", size: stats.size };
  const { mode, nlink: links, uid, gid } = stats;
  return { kind: "file", bytes: bytesOf(fd, stats.size), mode: mode & 0o777, links, uid, gid };
}

/** All of it, also where it grows or shrinks meanwhile. */
function bytesOf(fd: number, size: number): Uint8Array {
  let buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const count = readSync(fd, buffer, filled, buffer.length - filled, null);
    filled += count;
    if (count === 0) return buffer.subarray(0, filled);
    if (filled === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
}

/** What lies there instead of a file that could be opened. */
function unopened(path: string): Found {
  const stats = orElse(() => lstatSync(path), ["ENOENT", "ENOTDIR", "ELOOP"], null);
  return { kind: stats === null ? "none" : kindOf(stats) };
}

const NOTHING: Stat = { kind: "none", mode: 0, changedMs: 0 };

function stat(path: string): Stat {
  const stats = orElse(() => lstatSync(path, { throwIfNoEntry: false }), ["ENOTDIR", "ELOOP"], undefined);
  if (stats === undefined) return NOTHING;
  return { kind: stats.isFile() ? "file" : kindOf(stats), mode: stats.mode & 0o777, changedMs: stats.ctimeMs };
}

/** By its name, as who may not read a file may still own it; Linux has no bits for links, and chmod would follow one. */
function chmod(path: string, mode: number): void {
  if (stat(path).kind === "link") closeSync(openSync(path, O_RDONLY | O_NOFOLLOW));
  chmodSync(path, mode);
}

const kindOf = (stats: Stats): "folder" | "link" | "other" =>
  stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other";

function resolve(path: string): Resolved {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = orElse(() => realpathSync.native(at), ["ENOENT", "ENOTDIR", "ELOOP"], null);
    if (real !== null)
      return { real, missing, kind: statSync(real).isDirectory() ? "folder" : "other", isDangling: false };
    if (unopened(at).kind === "link")
      return { ...resolve(dirname(at)), missing: [basename(at), ...missing], isDangling: true };
    missing.unshift(basename(at));
  }
}

/** Private until it is whole: only then does it get the bits that it is to have. */
function make(path: string, { bytes, mode, isExecutable, owner }: Making): void {
  const first = mode === null ? (isExecutable ? 0o755 : 0o644) : 0o600;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, first);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    if (owner !== null) giveTo(fd, owner);
    if (mode !== null) fchmodSync(fd, mode);
  } catch (error) {
    closeSync(fd);
    unlinkSync(path);
    throw error;
  }
  closeSync(fd);
}

/** Only where somebody else owned it; who may not say so keeps it, as git does. */
function giveTo(fd: number, { uid, gid }: { uid: number; gid: number }): void {
  if (process.geteuid?.() === undefined) return;
  const now = fstatSync(fd);
  if (now.uid !== uid || now.gid !== gid) orElse(() => fchownSync(fd, uid, gid), ["EPERM"], undefined);
}

const openFile = promisify(open);
const sync = promisify(fsync);
const closeFile = promisify(close);
/** As many as Node's own threads wait for at once. */
const AT_ONCE = 4;

async function flush(paths: readonly string[]): Promise<void> {
  const left = [...paths];
  const worker = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await flushOne(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function flushOne(path: string): Promise<void> {
  const fd = await openFile(path, O_RDONLY | O_NOFOLLOW);
  try {
    await sync(fd);
  } finally {
    await closeFile(fd);
  }
}

function orElse<T, E>(work: () => T, codes: readonly string[], other: E): T | E {
  try {
    return work();
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? "")) return other;
    throw error;
  }
}
