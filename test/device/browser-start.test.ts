import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { launch } from "../../src/adapters/bridges/browser/launch.ts";
import { openBrowser, openInBrowser } from "../../src/adapters/bridges/browser/open-browser.ts";
import { repository, scratch, write } from "../support/scratch.ts";
import { withBrowser } from "./support/needs-browser.ts";

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const pidsIn = (folder: string): readonly number[] =>
  existsSync(join(folder, "pids")) ? readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number) : [];
const gone = (pids: readonly number[]) => expect.poll(() => pids.filter(isAlive), { timeout: 30_000 }).toEqual([]);

/** A program that writes down who it is, and then does that. */
function program(then: string) {
  const folder = scratch();
  const path = join(folder, "browser");
  write(folder, { browser: `#!/bin/sh\necho $$ >> "${folder}/pids"\n${then}\n` });
  chmodSync(path, 0o755);
  return { path, folder };
}

test("Ctrl+C while a browser starts that never answers: it is gone with its children and its profile, and the run has ended", async () => {
  const { path, folder } = program('sleep 100000 &\necho $! >> "$(dirname "$0")/pids"\nexec sleep 100000');
  const yaml =
    'models: {eyes: {provider: openai-compatible, base_url: "http://127.0.0.1:9/v1", model: m, dialect: pawl}}\n';
  const { repo } = repository({ "pawl.yaml": yaml });
  const profiles = scratch();
  const cli = join(import.meta.dirname, "../../dist/cli.mjs");
  const child = spawn(process.execPath, [cli, "device", "run", "buy", "--on", "browser:http://127.0.0.1:9/"], {
    cwd: repo,
    env: { PATH: process.env.PATH, PAWL_BROWSER: path, TMPDIR: profiles, GIT_CONFIG_GLOBAL: "/dev/null" },
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await expect.poll(() => pidsIn(folder).length, { timeout: 30_000 }).toBe(2);
  onTestFinished(() => {
    for (const pid of pidsIn(folder).filter(isAlive)) process.kill(pid, "SIGKILL");
  });
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  await gone(pidsIn(folder));
  expect(readdirSync(profiles).filter((name) => name.startsWith("playwright"))).toEqual([]);
});

withBrowser("a browser whose page is not open yet", (executable) => {
  const closing: (() => unknown)[] = [];
  let files: string;
  /** profiles of browsers, which the library takes away as soon as they have ended */
  const left = () => readdirSync(files).filter((name) => name.startsWith("playwright"));
  const noneLeft = () => expect.poll(left, { timeout: 30_000 }).toEqual([]);
  beforeEach(() => {
    files = scratch();
    vi.stubEnv("TMPDIR", files);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const close of closing.splice(0)) await close();
  });

  /** A page that is asked for, and never comes. */
  async function silentPage(asked: () => void): Promise<string> {
    const server = createServer(asked);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `browser:http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  const chromium = () => program(`exec "${executable}" "$@"`);

  test("is cut off by an abort while its page is loaded, and nothing is left of it", async () => {
    const { path, folder } = chromium();
    const stop = new AbortController();
    const target = await silentPage(() => stop.abort());
    const opening = openBrowser({ target, env: { PAWL_BROWSER: path }, signal: stop.signal });
    await expect(opening).rejects.toMatchObject({ code: "CANCELLED" });
    await gone(pidsIn(folder));
    await noneLeft();
    expect(readdirSync(files).filter((name) => name.includes("Chrom"))).toEqual([]);
  });

  test("is cut off by an abort that came before it was started", async () => {
    const { path, folder } = chromium();
    const stop = new AbortController();
    const opening = openBrowser({
      target: "browser:http://127.0.0.1:9/",
      env: { PAWL_BROWSER: path },
      signal: stop.signal,
    });
    stop.abort();
    await expect(opening).rejects.toMatchObject({ code: "CANCELLED" });
    await gone(pidsIn(folder));
  });

  test("and is killed while its page is loaded, is a screen that is gone, in one line", async () => {
    const { path, folder } = chromium();
    const target = await silentPage(() => process.kill(-pidsIn(folder)[0]!, "SIGKILL"));
    const error = await openBrowser({ target, env: { PAWL_BROWSER: path } }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "SCREEN_GONE", message: "the browser ended before its page was open" });
    await noneLeft();
  });

  test("and was killed before anything was opened in it, is a screen that is gone", async () => {
    const { path, folder } = chromium();
    const browser = await launch(path);
    const ended = new Promise((resolve) => browser.once("disconnected", resolve));
    process.kill(-pidsIn(folder)[0]!, "SIGKILL");
    await ended;
    const opening = openInBrowser(browser, { target: "browser:http://127.0.0.1:9/", env: {} });
    await expect(opening).rejects.toMatchObject({ code: "SCREEN_GONE", retryable: true });
    await noneLeft();
  });
});
