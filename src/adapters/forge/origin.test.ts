import { chmodSync, renameSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { intents, permit } from "../../../test/contracts/forge.contract.ts";
import { commitOn } from "../../../test/support/commits.ts";
import { localWorld } from "../../../test/support/local-forge.ts";
import { git, scratch, write } from "../../../test/support/scratch.ts";
import { impatientGit } from "../../../test/support/test-git.ts";
import type { Commit } from "../../domain/names.ts";
import { createLocalForge } from "./local.ts";
import { pathOnThisMachine } from "./origin.ts";

describe("which origin is on this machine", () => {
  it.each([
    ["/srv/shop.git", "/srv/shop.git"],
    ["../origin.git", "/home/me/origin.git"],
    ["origin.git", "/home/me/shop/origin.git"],
    ["./with:colon", "/home/me/shop/with:colon"],
    ["file:///srv/shop%20two.git", "/srv/shop two.git"],
    ["FILE:///srv/shop.git", "/srv/shop.git"],
    ["file://server/srv/shop.git", null],
    ["ssh://git@example.org/shop.git", null],
    ["https://example.org/shop.git", null],
    ["git://example.org/shop.git", null],
    ["git@example.org:shop.git", null],
    ["example:/srv/shop.git", null],
    ["ext::sh -c true", null],
    ["file:///srv/%zz", null],
    ["", null],
  ])("%s", (url, path) => {
    expect(pathOnThisMachine(url, "/home/me/shop")).toBe(path);
  });
});

describe("where a branch is published to", () => {
  const published = async (url: string, at = scratch()) => {
    const world = localWorld({ origin: true, at });
    git(world.repo, "remote", "set-url", "origin", url);
    const head = commitOn(world.repo, "main", { "a.txt": "1\n" });
    const result = await world.another().perform(intents("main").publish(null, head), null, permit);
    const there = (folder: string) =>
      git(join(at, folder), "for-each-ref", "--format=%(objectname)", "refs/heads/pawl");
    return { head, result, home: there("repo"), origin: there("origin.git") };
  };

  it("another machine is never contacted: then the repository itself is the forge", async () => {
    const { head, result, home, origin } = await published("ssh://git@origin.invalid/shop.git");
    expect(result).toMatchObject({ kind: "done" });
    expect([home, origin]).toEqual([head, ""]);
  });

  it("a file:// URL is a path", async () => {
    const at = scratch();
    const { head, home, origin } = await published(pathToFileURL(join(at, "origin.git")).href, at);
    expect([home, origin]).toEqual(["", head]);
  });

  it("an origin that is the repository itself is no origin", async () => {
    const { head, home } = await published(".");
    expect(home).toBe(head);
  });
});

describe("a far end that says no", () => {
  const start = async () => {
    const at = scratch();
    const world = localWorld({ origin: true, at });
    const head = commitOn(world.repo, "main", { "a.txt": "1\n" });
    const publish = intents("main").publish(null, head);
    return { at, world, head, publish };
  };

  it("an origin that is not there now is neither empty nor absent", async () => {
    const { at, world, publish } = await start();
    renameSync(join(at, "origin.git"), join(at, "away.git"));
    const forge = world.another();
    expect(await forge.find(publish, permit)).toMatchObject({
      kind: "unknown",
      why: expect.stringContaining("origin"),
    });
    expect(await forge.perform(publish, null, permit)).toMatchObject({ kind: "later", owner: "forge" });
    await expect(forge.branches([], permit)).rejects.toMatchObject({ code: "FORGE_UNREACHABLE" });
    renameSync(join(at, "away.git"), join(at, "origin.git"));
    expect(await forge.find(publish, permit)).toEqual({ kind: "absent" });
    expect(await forge.perform(publish, null, permit)).toMatchObject({ kind: "done" });
    renameSync(join(at, "origin.git"), join(at, "away.git"));
    expect(await forge.find(publish, permit)).toMatchObject({ kind: "unknown" });
  });

  it("a hook that declines is denied, in its own words", async () => {
    const { at, world, publish } = await start();
    const hook = join(at, "origin.git", "hooks", "pre-receive");
    write(join(at, "origin.git"), { "hooks/pre-receive": "#!/bin/sh\necho no pushing on Fridays >&2\nexit 1\n" });
    chmodSync(hook, 0o755);
    const result = await world.forge.perform(publish, null, permit);
    expect(result).toMatchObject({ code: "denied", detail: expect.stringContaining("no pushing on Fridays") });
    expect(await world.tip("pawl/task-1")).toBeNull();
  });

  it.each(["pawl", "pawl/task-1/more"])(
    "a branch %s in the way is a person's move, and goes on when it is gone",
    async (name) => {
      const { at, world, publish } = await start();
      await world.move(name, (await world.tip("main")) as Commit);
      const result = await world.forge.perform(publish, null, permit);
      expect(result).toMatchObject({ kind: "later", owner: "human", until: expect.any(Number) });
      const how = `git -C ${join(at, "origin.git")} branch -m ${name} NEWNAME`;
      expect(result).toMatchObject({ detail: expect.stringContaining(how) });
      await world.remove(name);
      expect(await world.forge.perform(publish, null, permit)).toMatchObject({ kind: "done" });
    },
  );

  it("a branch of that name that was there before, with other commits, is never taken for the task's", async () => {
    const { world, publish } = await start();
    await world.move("pawl/task-1", commitOn(world.repo, "main", { "theirs.txt": "1\n" }));
    const result = await world.forge.perform(publish, null, permit);
    expect(result).toMatchObject({
      kind: "later",
      owner: "human",
      detail: expect.stringContaining("rename or delete it"),
    });
    await world.remove("pawl/task-1");
    expect(await world.forge.perform(publish, null, permit)).toMatchObject({ kind: "done" });
  });

  it("a lock on a branch is a person's move too", async () => {
    const { at, world, publish } = await start();
    const lock = join(at, "origin.git/refs/heads/pawl/task-1.lock");
    write(at, { "origin.git/refs/heads/pawl/task-1.lock": "" });
    const forge = createLocalForge({ repo: world.repo, git: impatientGit() });
    const result = await forge.perform(publish, null, permit);
    expect(result).toMatchObject({
      kind: "later",
      owner: "human",
      detail: expect.stringContaining(`${lock} is there`),
    });
  });

  it("when the time is over before it begins, it is certainly not done; when git was cut off, nobody knows", async () => {
    const { world, publish } = await start();
    const over = { epoch: 1, signal: AbortSignal.abort() };
    expect(await world.forge.perform(publish, null, over)).toMatchObject({ kind: "later" });
    expect(await world.forge.find(publish, over)).toMatchObject({ kind: "unknown" });
    const stop = new AbortController();
    const git = impatientGit();
    const run: typeof git.run = (args, options) => {
      if (args.includes("push")) stop.abort();
      return git.run(args, options);
    };
    const forge = createLocalForge({ repo: world.repo, git: { ...git, run } });
    await expect(forge.perform(publish, null, { epoch: 1, signal: stop.signal })).rejects.toMatchObject({
      code: "GIT_ENDED",
    });
  });
});
