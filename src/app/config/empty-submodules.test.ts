import { join } from "node:path";
import { expect, it } from "vitest";
import { git, repository, scratch, write } from "../../../test/support/scratch.ts";
import { overridesFrom } from "./overrides.ts";
import { beforeSpawns, readConfiguration } from "./reading.ts";

const AGENT = "agents: {default: {command: claude}}\n";

it("submodules that no setup fills are told, with the line that fills them", async () => {
  const { repo } = repository({ "pawl.yaml": AGENT });
  const look = async () =>
    beforeSpawns((await readConfiguration({ repo, overrides: overridesFrom({}, {}, repo) })).reading);
  expect(await look()).toEqual([]);
  const lib = repository({ "lib.txt": "" }, { at: scratch() }).repo;
  for (const name of ["lib", "more"])
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, join("vendor", name));
  expect(await look()).toEqual([]);
  git(repo, "commit", "-q", "-m", "Submodules");
  expect(await look()).toMatchObject([
    {
      code: "SUBMODULES_EMPTY",
      message: "the submodules vendor/lib, vendor/more are empty folders in every worktree: no setup fills them",
      next: "add worktree: {setup: git submodule update --init --recursive} to pawl.yaml.",
    },
  ]);
  write(repo, { "pawl.yaml": `${AGENT}worktree: {setup: npm ci}\n` });
  expect(await look()).toMatchObject([
    { at: { file: "pawl.yaml", line: 2 }, next: expect.stringContaining("begin it with") },
  ]);
  write(repo, { "pawl.yaml": `${AGENT}worktree: {setup: git submodule update --init && npm ci}\n` });
  expect(await look()).toEqual([]);
});
