import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { z } from "zod";
import { PawlError } from "../domain/errors.ts";

/** What became known of one node (executive-worker.md 2.1). */
export interface NodeNews {
  readonly id: string;
  readonly title: string;
  readonly acceptance: readonly string[];
  readonly status: "unchanged" | "partial" | "done";
  readonly coverage_pct: number;
  readonly evidence: { readonly commits: readonly string[]; readonly files: readonly string[] };
  readonly note: string;
}

const nodeSchema: z.ZodType = z.lazy(() =>
  z.looseObject({
    id: z.string().min(1),
    title: z.string(),
    deps: z.array(z.string()).optional(),
    status: z.enum(["partial", "done", "unchanged"]),
    coverage_pct: z.number().min(0).max(100),
    acceptance: z.array(z.string()).optional(),
    evidence: z
      .looseObject({ commits: z.array(z.string()).optional(), files: z.array(z.string()).optional() })
      .optional(),
    notes: z.string().optional(),
    children: z.array(nodeSchema).optional(),
  }),
);
/** task_tree.yaml; its JSON Schema is made of this. Keys that are not here are kept. */
export const taskTreeSchema = z.looseObject({ id: z.string().min(1), title: z.string(), nodes: z.array(nodeSchema) });

/**
 * The task tree with these news in it. `text`: the file as it is; null: there is none. What people wrote is kept: comments,
 * order, titles, deps, acceptance, notes of theirs, keys that nobody here knows; of a node that is there only status,
 * coverage, evidence and our note change. Throws TREE_BAD where the file is not a tree: it is then left as it is.
 */
export function updatedTree(
  text: string | null,
  of: { readonly id: string; readonly title: string; readonly nodes: readonly NodeNews[] },
): string {
  const document = parseDocument(text ?? "");
  const fault = document.errors[0];
  if (fault) throw bad(fault.message.split("\n")[0]!);
  if (document.contents === null)
    document.contents = document.createNode({ id: of.id, title: of.title, nodes: [] }) as never;
  if (!isMap(document.contents)) throw bad("it has to be a mapping with id, title and nodes");
  const nodes = nodesIn(document);
  for (const news of of.nodes) put(document, nodes, news);
  // lists in one line are written as they were: with or without room inside their brackets
  return document.toString({ lineWidth: 0, flowCollectionPadding: text !== null && /[[{] \S/.test(text) });
}

/** What is wrong with a task tree, by path; empty: nothing. */
export function treeFaults(text: string): readonly string[] {
  const document = parseDocument(text);
  const fault = document.errors[0];
  if (fault) return [fault.message.split("\n")[0]!];
  const read = taskTreeSchema.safeParse(document.toJS());
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

function nodesIn(document: Document): YAMLSeq {
  const nodes = document.get("nodes");
  if (isSeq(nodes)) return nodes;
  if (nodes !== undefined && nodes !== null) throw bad("nodes has to be a list");
  const made = document.createNode([]) as YAMLSeq;
  document.set("nodes", made);
  return made;
}

function put(document: Document, nodes: YAMLSeq, news: NodeNews): void {
  const found = findNode(nodes, news.id);
  if (!found) {
    const { note, ...rest } = news;
    nodes.flow = false;
    nodes.add(
      document.createNode({
        id: rest.id,
        title: rest.title,
        deps: [],
        status: rest.status,
        coverage_pct: rest.coverage_pct,
        acceptance: rest.acceptance,
        evidence: rest.evidence,
        notes: note,
        children: [],
      }),
    );
    return;
  }
  found.set("status", news.status);
  found.set("coverage_pct", news.coverage_pct);
  found.setIn(["evidence", "commits"], document.createNode(news.evidence.commits));
  found.setIn(["evidence", "files"], document.createNode(news.evidence.files));
  if (news.note !== "" && !found.get("notes")) found.set("notes", news.note);
}

/** A node may have been moved below another one. */
function findNode(nodes: YAMLSeq, id: string): YAMLMap | null {
  for (const node of nodes.items) {
    if (!isMap(node)) continue;
    if (node.get("id") === id) return node;
    const children = node.get("children");
    const found = isSeq(children) ? findNode(children, id) : null;
    if (found) return found;
  }
  return null;
}

const bad = (why: string): PawlError =>
  new PawlError("TREE_BAD", `task_tree.yaml cannot be read: ${why}`, {
    next: "mend it, or move it away: a new one is then made.",
  });
