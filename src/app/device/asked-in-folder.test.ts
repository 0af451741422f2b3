import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import { json, replaceFile } from "../../adapters/agents/files.ts";
import { type OpenQuestion, openQuestion, QUESTION_FILE } from "../../adapters/agents/question.ts";
import { answerQuestion, askedInFolder } from "./asked-in-folder.ts";

const MINUTE = 60_000;

/** Asks in a folder: what stands there, what comes of it, and an end of its time. */
function asks(folder: string, question: string) {
  const over = new AbortController();
  const answer = askedInFolder(folder)(question, MINUTE, over.signal);
  return { answer, open: openQuestion(folder)!, over: () => over.abort() };
}
const told = (folder: string, asked: OpenQuestion, answer: string): boolean =>
  answerQuestion(folder, asked, answer, "ada");

test("a question lies in the folder until it is answered, once; the next one has the next number", async () => {
  const folder = scratch();
  const first = asks(folder, "Which of the two?");
  expect(first.open).toMatchObject({ number: 1, question: "Which of the two?" });
  expect([told(folder, first.open, "the cheaper one"), told(folder, first.open, "the other")]).toEqual([true, false]);
  expect(await first.answer).toBe("the cheaper one");
  expect(existsSync(join(folder, QUESTION_FILE))).toBe(false);
  const second = asks(folder, "In red?");
  expect(second.open.number).toBe(2);
  second.over();
});

test("a late answer to a question whose time is over is refused, and answers no later one", async () => {
  const folder = scratch();
  const first = asks(folder, "may it delete the old list? (yes or no)");
  first.over();
  expect(await first.answer).toBe(null);
  expect(openQuestion(folder)).toBe(null);
  const second = asks(folder, "may it delete everything? (yes or no)");
  expect(second.open.number).toBe(2);
  expect(told(folder, first.open, "yes")).toBe(false);
  expect(told(folder, second.open, "no")).toBe(true);
  expect(await second.answer).toBe("no");
});

test("an answer of the last moment counts: who gave it was told so", async () => {
  const folder = scratch();
  const { answer, open, over } = asks(folder, "Which?");
  expect(told(folder, open, "the cheaper one")).toBe(true);
  over();
  expect(await answer).toBe("the cheaper one");
});

test("a number that a killed process asked with is not used again", async () => {
  const folder = scratch();
  const until = new Date(Date.now() + MINUTE).toISOString();
  replaceFile(join(folder, QUESTION_FILE), json({ number: 3, question: "Which?", until }));
  const { answer, open, over } = asks(folder, "And now?");
  expect(open).toMatchObject({ number: 4, question: "And now?" });
  over();
  expect(await answer).toBe(null);
});
