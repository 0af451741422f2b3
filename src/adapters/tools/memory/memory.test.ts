import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scratch } from "../../../../test/support/scratch.ts";
import { openSqlite } from "../../store/open-sqlite.ts";
import { cleaning } from "../cleaned.ts";
import { memoryTools } from "./memory-tools.ts";
import { openNotes } from "./notes.ts";

const open = await openSqlite();
const context = { signal: new AbortController().signal, logFile: null };

function memory(path = join(scratch(), ".pawl/memory.db"), env: Record<string, string> = {}) {
  const { tools, close } = memoryTools({
    path,
    sqlite: async () => open,
    task: "task-1",
    now: () => Date.UTC(2026, 10, 28),
    cleaned: cleaning(env),
  });
  onTestFinished(close);
  const call = (name: string, args: Record<string, unknown>) =>
    tools.find((tool) => tool.name === name)!.run(args, context);
  return { path, call };
}

test("what is saved is found by its words, also by another process's worker, with when and where it was learned", async () => {
  const { path, call } = memory();
  expect(await call("memory.search", { query: "ports" })).toMatchObject({ ok: true, data: { empty: true } });
  expect(await call("memory.save", { text: "The integration tests need port 8123." })).toMatchObject({ ok: true });
  expect((await memory(path).call("memory.search", { query: "which ports do tests need?" })).text).toBe(
    "1 (2026-11-28, task-1) The integration tests need port 8123.",
  );
});

test("the best comes first, equally good ones in the order in which they were saved, and never more than ten", async () => {
  const { call } = memory();
  for (let n = 0; n < 12; n++) await call("memory.save", { text: `cache ${"x".repeat(3)} ${n % 2 ? "a" : "b"}${n}` });
  await call("memory.save", { text: "the cache of the cache is a cache" });
  const { text } = await call("memory.search", { query: "cache" });
  const ids = text.split("\n").map((line) => Number(line.split(" ")[0]));
  expect(ids).toEqual([13, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect((await call("memory.search", { query: "cache" })).text).toBe(text);
});

test("the same text is kept once: a save that a crash cut off may be made again", async () => {
  const { call } = memory();
  await call("memory.save", { text: "one" });
  expect(await call("memory.save", { text: " one " })).toMatchObject({ ok: true, text: "that is kept already" });
});

test.each(['"', "a* OR (b", "NEAR(a b)", "text:a", "-", "日本", "^x", "  "])(
  "a query is words, whatever FTS5 would make of it: %s",
  async (query) => {
    const { call } = memory();
    await call("memory.save", { text: "日本語の設定" });
    expect(await call("memory.search", { query })).toMatchObject({ ok: true });
  },
);

test("a part of a word is found where no whole word is", async () => {
  const { call } = memory();
  await call("memory.save", { text: "日本語の設定 is in settings.toml" });
  expect((await call("memory.search", { query: "設定" })).text).toContain("settings.toml");
});

test("a text that is too long is refused, a secret is not kept", async () => {
  const { call } = memory(undefined, { API_TOKEN: "hunter2hunter2" });
  expect(await call("memory.save", { text: "x".repeat(2_001) })).toMatchObject({ ok: false });
  await call("memory.save", { text: "the token is hunter2hunter2\u001b[2J" });
  expect((await call("memory.search", { query: "token" })).text).toMatch(/the token is \[redacted API_TOKEN\]$/);
});

test("notes of a newer pawl are left alone", () => {
  const path = join(scratch(), "memory.db");
  openNotes(path, open).close();
  const database = open(path);
  database.exec("PRAGMA user_version = 99");
  database.close();
  expect(() => openNotes(path, open)).toThrow(expect.objectContaining({ code: "MEMORY_NEWER" }));
});

/** Saves notes of its own, and says each one that is durable. */
const WRITER = `
import { openNotes } from ${JSON.stringify(new URL("./notes.ts", import.meta.url).href)};
import { openSqlite } from ${JSON.stringify(new URL("../../store/open-sqlite.ts", import.meta.url).href)};
const [, path, name, most] = process.argv;
const notes = openNotes(path, await openSqlite());
for (let n = 0; n < Number(most); n++) {
  notes.save({ text: name + " word" + n, task: "t", at: n });
  process.stdout.write(n + "\\n");
}
`;

function writer(path: string, name: string, most: number) {
  const args = ["--import", "tsx", "--input-type=module", "-e", WRITER, path, name, String(most)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended: once(child, "close") };
}

test("two processes that begin at once lose nothing, and one that is killed loses nothing that it had said", async () => {
  const path = join(scratch(), "memory.db");
  const two = [writer(path, "one", 40), writer(path, "two", 40)];
  const cutOff = writer(path, "three", 100_000);
  let said = 0;
  cutOff.child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text.split("\n").length - 1;
    if (said >= 5) cutOff.child.kill("SIGKILL");
  });
  await Promise.all([...two.map(({ ended }) => ended), cutOff.ended]);
  const notes = openNotes(path, open);
  onTestFinished(() => notes.close());
  expect(notes.search("one", 1_000)).toHaveLength(40);
  expect(notes.search("two", 1_000)).toHaveLength(40);
  expect(notes.search("three", 100_000).length).toBeGreaterThanOrEqual(said);
}, 60_000);
