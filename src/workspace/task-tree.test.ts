import { expect, test } from "vitest";
import { type NodeNews, treeFaults, updatedTree } from "./task-tree.ts";

const news = (of: Partial<NodeNews> = {}): NodeNews => ({
  id: "n-AC-001",
  title: "red items only",
  acceptance: ["red items only"],
  status: "partial",
  coverage_pct: 40,
  evidence: { commits: ["abc123"], files: ["src/search.ts"] },
  note: "filter by colour",
  ...of,
});
const of = (...nodes: readonly NodeNews[]) => ({ id: "ticket-1", title: "Search by colour", nodes });

test("WRK-2.1 a tree is made with a node for each criterion, and fits its schema", () => {
  const text = updatedTree(null, of(news(), news({ id: "n-AC-002" })));
  expect(treeFaults(text)).toEqual([]);
  expect(text).toContain("id: ticket-1");
  expect(text.match(/status: partial/g)).toHaveLength(2);
  expect(updatedTree(text, of(news(), news({ id: "n-AC-002" })))).toBe(text);
});

test("WRK-2.1 what people wrote stays: comments, order, titles, notes, keys of theirs, nodes that were moved", () => {
  const mine = `# ours, since spring
id: ticket-1
title: My own words
owner: me # a key of ours
nodes:
  - id: n-big
    title: All of it
    status: unchanged
    coverage_pct: 0
    children:
      # first this one
      - id: n-AC-001
        title: Only the red ones
        deps: [n-other]
        status: unchanged
        coverage_pct: 0
        notes: ask Ann
`;
  const text = updatedTree(mine, of(news({ status: "done", coverage_pct: 100 }), news({ id: "n-AC-002" })));
  for (const kept of ["# ours, since spring", "title: My own words", "owner: me # a key of ours", "# first this one"])
    expect(text).toContain(kept);
  expect(text).toMatch(
    /title: Only the red ones\n\s+deps: \[ ?n-other ?\]\n\s+status: done\n\s+coverage_pct: 100\n\s+notes: ask Ann/,
  );
  expect(text).toMatch(/id: n-AC-002/);
  expect(treeFaults(text)).toEqual([]);
});

test("a file that is no tree is left as it is, and what is wrong with it is said", () => {
  for (const text of ["nodes: {a: 1", "just a text", "nodes: 7\n"])
    expect(() => updatedTree(text, of(news()))).toThrowError(expect.objectContaining({ code: "TREE_BAD" }));
  expect(treeFaults("id: t\ntitle: t\nnodes: [{id: a, title: t, status: maybe, coverage_pct: 500}]\n")).toHaveLength(2);
});
