// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell's
import { expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import { shellOracle } from "../../../test/support/shell-oracle.ts";
import { Random } from "../../../test/worlds/random.ts";
import { judge } from "./rules.ts";

/** Pieces that a text is made of; most texts are wrong, and some of them do run something. */
// biome-ignore format: a bag
const PIECES = [
  "git push", "git push", "git push", "git", "push", " ", " ", " ", "\n", "\n", ";", "; ", " && ", " || ", " & ", " | ", "'", "'", '"', '"', "\\",
  "`", "`", "$(", ")", "(", "{ ", " }", "; }", "#", " # ", "<<E\n", "\nE\n", "<<'E'\n", "<<-E\n\t", "E\n", "$'", "${x:-", "${x}", "}", "=", "x=", "x", "$x", "if true; then ",
  "else ", "; fi", "case x in x) ", ";; ", " esac", "[[ ", " ]]", "((", "))", "eval ", "env ", "env -u X ", "X=1 ", "command ", "exec ", "sh -c ", "timeout 5 ",
  "\t", ">f ", "2>&1 ", "<f ", "<(", "f() ", "for x in a b; do ", "; done", "! ", "true", "false", "$((", "1", "+", "\r", "\\\n", "*", "~", "{a,b}", "xargs ", "echo ",
];

const COUNT = Number(process.env.PAWL_SHELL_TEXTS ?? 80);

test(`of ${COUNT} random texts that are let through none makes a real shell run git push`, () => {
  const ran = shellOracle(scratch());
  const random = new Random(Number(process.env.PAWL_SHELL_SEED ?? 20_281));
  let [tried, found] = [0, 0];
  while (tried < COUNT) {
    const text = Array.from({ length: 1 + random.below(12) }, () => random.pick(PIECES)).join("");
    if (!text.includes("push")) continue;
    const { kind } = judge(text, { allow: null, deny: ["git push"] });
    if (kind === "refuse") found++;
    if (kind !== "run") continue;
    tried++;
    for (const shell of ["/bin/sh", "/bin/bash"])
      expect(ran(shell, text), `${shell} runs it in ${JSON.stringify(text)}`).toBe(false);
  }
  // the oracle sees it, and the pieces make it
  expect(ran("/bin/sh", "git push")).toBe(true);
  expect(found).toBeGreaterThan(COUNT / 20);
}, 600_000);
