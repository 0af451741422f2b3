import { expect, it } from "vitest";
import { width } from "../cli/printable.ts";
import { GRAPH } from "./opening.ts";

it("the graph of the backlog fits 100 columns", () => {
  for (const line of GRAPH) expect([line, width(line) <= 96]).toEqual([line, true]);
});
