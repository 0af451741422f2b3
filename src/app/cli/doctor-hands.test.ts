import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { repository, scratch } from "../../../test/support/scratch.ts";

/** pawl doctor where there are no programs but these. */
function doctor(repo: string, programs: readonly string[]) {
  const bin = scratch();
  for (const name of programs)
    symlinkSync(spawnSync("which", [name], { encoding: "utf8" }).stdout.trim(), join(bin, name));
  const args = [resolve("dist/cli.mjs"), "doctor", "--json"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: repo, encoding: "utf8", env: { PATH: bin, HOME: repo } });
  return JSON.parse(stdout) as { checks: { name: string; state: string; text: string; next: string | null }[] };
}

test("pawl doctor says which ripgrep there is, and what is missing with the package that has it", () => {
  const { repo } = repository({ "a.txt": "" });
  const found = new Map(doctor(repo, ["git"]).checks.map((check) => [check.name, check]));
  expect(found.get("ripgrep")).toMatchObject({ state: "ok", text: expect.stringMatching(/^\d+\.\d+.* \(shipped\)$/) });
  expect(found.get("bubblewrap")).toEqual({
    name: "bubblewrap",
    state: "note",
    text: "not there: commands run without a sandbox",
    next: "apt install bubblewrap.",
  });
  const without = doctor(repo, []).checks.find(({ name }) => name === "git");
  expect(without).toMatchObject({ state: "no", next: expect.stringContaining("git") });
});
