import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Commit } from "../../src/domain/names.ts";
import type { ForgeTrace } from "../../src/ports/forge.ts";
import { candidate, type ForgeWorld, intents, permit, url } from "../contracts/forge.contract.ts";
import { commitOn } from "./commits.ts";
import { localWorld, type WorldOptions } from "./local-forge.ts";
import { git, scratch } from "./scratch.ts";

/** A world whose task is at a step: what it takes to land is done, and the intents of every step are at hand. */
export async function readyToLand(world: ForgeWorld, files: Record<string, string | null> = { "colour.txt": "red\n" }) {
  const wish = intents(world.base);
  const head = commitOn(world.repo, (await world.tip(world.base)) as Commit, files);
  const publish: ForgeTrace = wish.publish(null, head);
  const open: ForgeTrace = wish.open(head);
  await world.forge.perform(publish, null, permit);
  const pr = url(await world.forge.perform(open, "Why", permit));
  const ready: ForgeTrace = wish.ready(pr, head);
  await world.forge.perform(ready, null, permit);
  const made = candidate(await world.forge.perform(wish.prepare(head), null, permit));
  const land = wish.land(pr, head, made);
  return { wish, head, pr, ...made, publish, open, ready, land };
}

type Files = Readonly<Record<string, string | null>>;
type Model = { readonly root: string; readonly task: Awaited<ReturnType<typeof readyToLand>> };
/** Folders that live as long as the test file: a worker of vitest is killed, so an exit handler would not do. */
const made: string[] = [];
afterAll(() => {
  for (const root of made) rmSync(root, { recursive: true, force: true });
});
const models = new Map<string, Promise<Model>>();

/** A world of its own with a task ready to land on a base that has the files of `before`: made once, copied for each test. */
export async function landable(options: WorldOptions & { readonly before?: Files; readonly files?: Files }) {
  const key = JSON.stringify(options);
  const model = models.get(key) ?? makeModel(options);
  models.set(key, model);
  const { root, task } = await model;
  const at = scratch();
  cpSync(root, at, { recursive: true });
  return { world: localWorld({ ...options, at, made: true }), ...task };
}

async function makeModel({ before, files, ...options }: Parameters<typeof landable>[0]): Promise<Model> {
  const root = mkdtempSync(join(tmpdir(), "pawl-model-"));
  made.push(root);
  const world = localWorld({ ...options, at: root });
  if (before) git(world.repo, "merge", "-q", "--ff-only", commitOn(world.repo, "HEAD", before, "Files"));
  return { root, task: await readyToLand(world, { ...(files ?? { "colour.txt": "red\n" }) }) };
}
