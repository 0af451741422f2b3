import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../../../test/support/command-line.ts";
import { repository } from "../../../test/support/scratch.ts";
import { frontMatter } from "../config/front-matter.ts";
import { readTask } from "../config/written-task.ts";

const TASKMASTER = {
  tasks: [
    { id: 1, title: "Lay the ground", status: "done" },
    {
      id: 2,
      title: "Search: by colour",
      description: "Customers look for red.",
      details: "Use the catalogue.",
      testStrategy: "A test for each colour.",
      dependencies: [1],
      subtasks: [
        { id: 1, title: "read the field", description: "from the\ncatalogue" },
        { id: 2, title: "filter" },
      ],
    },
    { id: 3, title: "Show it", dependencies: ["2.1", 2] },
  ],
};
const BEADS = [
  {
    id: "bd-a1",
    title: "First",
    description: "Text",
    acceptance_criteria: "- [ ] it works\n- it is fast",
    labels: ["ui"],
  },
  {
    id: "bd-a2",
    title: "Second",
    dependencies: [
      { issue_id: "bd-a2", depends_on_id: "bd-a1", type: "blocks" },
      { issue_id: "bd-a2", depends_on_id: "bd-a3", type: "related" },
    ],
  },
  { id: "bd-a3", title: "Third", status: "closed" },
];
const CHECKLIST = `# Shop
Some words.

## Search
- [ ] Filter by colour
  Only red ones.
  - [ ] red returns red
  - [x] an unknown colour is refused
- [x] Draw a logo
\`\`\`
- [ ] not an item
\`\`\`
## Cart
- [ ] Empty the cart!
`;
const CSV =
  '\ufeffID,Title,Description,Blocked by,Status\r\nA,"Say ""hello""","two\nlines",,open\r\nB,Then this,,A C,open\r\nC,Old,,,Done\r\n';

async function imported(name: string, text: string, ...args: readonly string[]) {
  const { repo } = repository({ [name]: text });
  const said = await commandLine(repo, ["import", name, ...args]);
  const task = (id: string) => {
    const { title, deps, criteria, body, fields, faults } = readTask(repo, `tasks/${id}.md`)!;
    return {
      title,
      deps: deps.map((dep) => dep.name),
      criteria: criteria.list.map((one) => one.text),
      body: body.trim(),
      labels: fields.labels,
      source: fields.source,
      faults,
    };
  };
  return { repo, said, task };
}

describe("pawl import", () => {
  test("Task Master: ids and dependencies are kept, subtasks are criteria, what is done makes no task and is not waited for", async () => {
    const { repo, said, task } = await imported("tasks.json", JSON.stringify(TASKMASTER));
    expect(said).toMatchObject({ code: 0, err: "" });
    expect(said.out).toContain("done there already, so no task: 1");
    expect(task("task-002")).toEqual({
      title: "Search: by colour",
      deps: [],
      criteria: ["read the field", "filter"],
      body: "Customers look for red.\n\n## Details\n\nUse the catalogue.\n\n## How it is tested\n\nA test for each colour.\n\n## Steps\n\n- read the field: from the catalogue\n- filter",
      labels: undefined,
      source: "tasks.json#2",
      faults: [],
    });
    expect(task("task-003")).toMatchObject({ title: "Show it", deps: ["task-002"], body: "Show it." });
    expect(existsSync(join(repo, "tasks/task-001.md"))).toBe(false);
  });

  test("Task Master with tags: a tag leads the ids where there are several", async () => {
    const tagged = { master: TASKMASTER, ui: { tasks: [{ id: 2, title: "Paint", dependencies: [] }] } };
    const { task } = await imported("tasks.json", JSON.stringify(tagged));
    expect(task("master-3")).toMatchObject({ deps: ["master-2"] });
    expect(task("ui-2")).toMatchObject({ title: "Paint" });
  });

  test("beads: what blocks is a dependency, a relation is none", async () => {
    const { said, task } = await imported("issues.jsonl", BEADS.map((one) => JSON.stringify(one)).join("\n"), "--json");
    expect(JSON.parse(said.out)).toEqual({
      ok: true,
      dry: false,
      wrote: ["tasks/bd-a1.md", "tasks/bd-a2.md"],
      kept: [],
      over: ["bd-a3"],
    });
    expect(task("bd-a1")).toMatchObject({ criteria: ["it works", "it is fast"], labels: ["ui"], body: "Text" });
    expect(task("bd-a2")).toMatchObject({ deps: ["bd-a1"] });
  });

  test("a check list: open items are tasks, nested ones their criteria, code is no list", async () => {
    const { repo, said, task } = await imported("TODO.md", CHECKLIST);
    expect(said.out).toContain("done there already, so no task: draw-a-logo");
    expect(task("filter-by-colour")).toMatchObject({
      title: "Filter by colour",
      criteria: ["red returns red", "an unknown colour is refused"],
      body: "Only red ones.\n\n## Where it stands\n\nSearch",
    });
    expect(task("empty-the-cart")).toMatchObject({ title: "Empty the cart!", criteria: [] });
    expect(existsSync(join(repo, "tasks/not-an-item.md"))).toBe(false);
  });

  test("CSV: quotes, line ends in cells, a byte order mark, columns by their names", async () => {
    const { task } = await imported("work.csv", CSV);
    expect(task("A")).toMatchObject({ title: 'Say "hello"', body: "two\nlines", deps: [] });
    expect(task("B")).toMatchObject({ deps: ["A"], source: "work.csv#B" });
  });

  test("CSV: semicolons and tabs separate where the first row has them; a comma in a title is one", async () => {
    const rows = [`id;"title";deps`, `a;"First, and; foremost";`, "b;Second;a"];
    for (const by of [";", "\t"]) {
      const { said, task } = await imported("rows.csv", rows.map((row) => row.replaceAll(/;(?! )/g, by)).join("\n"));
      expect([by, said.code, task("a").title, task("b").deps]).toEqual([by, 0, "First, and; foremost", ["a"]]);
    }
  });

  test("CSV: Excel's first line says what separates, and is no row; empty cells at the end are none too many", async () => {
    const { said, task } = await imported("rows.csv", "\uFEFFsep=;\r\nid;title\r\na;One, two, three;;\r\n");
    expect([said.code, task("a").title]).toEqual([0, "One, two, three"]);
  });

  test("Vibe Kanban's issues.csv: an issue waits for its parts; what is completed makes no task", async () => {
    const head =
      "Issue ID,Title,Description,Status,Priority,Project,Assignee(s),Creator,Created,Updated,Start Date,Due Date,Completed,Parent Issue";
    const at = "2026-04-01T10:00:00+00:00";
    const row = (of: { id: string; title: string; text?: string; status: string; more?: string; parent?: string }) =>
      [
        of.id,
        of.title,
        of.text ?? "",
        of.status,
        "High",
        "Shop",
        "Ann",
        "Ann",
        at,
        at,
        "",
        "",
        of.more ?? "",
        of.parent ?? "",
      ].join();
    const rows = [
      row({ id: "SHOP-1", title: "Find red", text: '"all of it,\nand ""blue"""', status: "To do" }),
      row({ id: "SHOP-2", title: "Read the field", status: "In progress", parent: "SHOP-1" }),
      row({ id: "SHOP-3", title: "Ship", status: "Erledigt", more: at, parent: "SHOP-1" }),
      row({ id: "SHOP-4", title: "Never", status: "Cancelled" }),
      row({ id: "SHOP-5", title: "Show", status: "Backlog", parent: "OTHER-9" }),
    ];
    const { repo, said } = await imported("issues.csv", `${[head, ...rows].join("\n")}\n`);
    expect(said).toMatchObject({ code: 0, err: "" });
    const [one, two, five] = [1, 2, 5].map((n) => readTask(repo, `tasks/SHOP-${n}.md`)!);
    expect(one).toMatchObject({
      ...{ title: "Find red", body: 'all of it,\nand "blue"\n', faults: [] },
      fields: { labels: ["high"], source: "issues.csv#SHOP-1" },
    });
    expect([one, two, five].map((task) => task!.deps.map(({ name }) => name))).toEqual([["SHOP-2"], [], []]);
    expect([3, 4].map((n) => existsSync(join(repo, `tasks/SHOP-${n}.md`)))).toEqual([false, false]);
    const wrong = await imported("x.csv", "id,title\na,b\n", "--from", "vibe-kanban");
    expect(wrong.said.err).toContain("it names no issue id");
  });

  test("what is meant is taken: one dependency as a text, an id alone that blocks, a subtask that is a text, a numbered list", async () => {
    const master = {
      tasks: [
        { id: 1, title: "a" },
        { id: 2, title: "b", dependencies: "1", subtasks: ["do it"] },
      ],
    };
    const one = await imported("tasks.json", JSON.stringify(master));
    expect(one.task("task-002")).toMatchObject({ deps: ["task-001"], criteria: ["do it"] });
    for (const dependencies of [["bd-1"], "bd-1", [{ depends_on_id: "bd-1" }]]) {
      const lines = [
        { id: "bd-1", title: "a", labels: "ui, shop", acceptance_criteria: ["works", "is fast"] },
        { id: "bd-2", title: "b", dependencies },
      ];
      const { task } = await imported("x.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
      expect(task("bd-2").deps).toEqual(["bd-1"]);
      expect(task("bd-1")).toMatchObject({ labels: ["ui", "shop"], criteria: ["works", "is fast"] });
    }
    const list = await imported("TODO.md", "1. [ ] num one\n   1. [ ] nested\n2) [x] num two\n- [ ] Кнопка\n");
    expect(list.said.out).toContain("done there already, so no task: num-two");
    expect(list.task("num-one")).toMatchObject({ title: "num one", criteria: ["nested"] });
    expect(list.said.out).toMatch(/^wrote {2}tasks\/item-[0-9a-f]{8}\.md {2}Кнопка$/m);
  });

  test("a file that holds nothing to do is said to be that; a title of two lines is one line of the list", async () => {
    const none = await imported("NOTES.md", "# Notes\nNothing to do.\n");
    expect(none.said).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^NOTES\.md holds nothing that could be a task: /),
    });
    expect(JSON.parse((await commandLine(none.repo, ["import", "NOTES.md", "--json"])).out).note).toContain("NOTES.md");
    const two = await imported("x.csv", 'id,title\na,"One\nand more"\n');
    expect(two.said.out).toMatch(/^wrote {2}tasks\/a\.md {2}One and more$/m);
  });

  test("what becomes one task twice is told with its line; dependencies in a circle are told whole", async () => {
    const twice = await imported("rows.csv", "id,title\na,One\nb,Two\na,Three\n");
    expect(twice.said).toMatchObject({ code: 2, err: expect.stringContaining("rows.csv:4") });
    const circle = await imported("rows.csv", "id,title,deps\na,One,\nb,Two,d a\nc,Three,b\nd,Four,c\ne,Five,d\n");
    expect(circle.said.err).toContain("dependencies go round in a circle: b -> d -> c -> b");
    expect(circle.said.err).toContain("rows.csv:3");
    expect(circle.said.code).toBe(2);
    expect(existsSync(join(circle.repo, "tasks"))).toBe(false);
  });

  test("with --dry nothing is written; a task file that is there is never written over; twice is once", async () => {
    const { repo } = repository({
      "tasks.json": JSON.stringify(TASKMASTER),
      "tasks/task-002.md": "---\ntitle: mine\n---\nx\n",
    });
    const dry = await commandLine(repo, ["import", "tasks.json", "--dry"]);
    expect(dry.out).toMatch(
      /^would write {2}tasks\/task-003\.md {2}Show it {2}task-002\nkept as they are: tasks\/task-002\.md\n/,
    );
    expect(existsSync(join(repo, "tasks/task-003.md"))).toBe(false);
    await commandLine(repo, ["import", "tasks.json"]);
    const made = readFileSync(join(repo, "tasks/task-003.md"), "utf8");
    expect(frontMatter("x", made)).not.toBeNull();
    const again = await commandLine(repo, ["import", "tasks.json", "--json"]);
    expect(JSON.parse(again.out)).toMatchObject({ wrote: [], kept: ["tasks/task-002.md", "tasks/task-003.md"] });
    expect(readFileSync(join(repo, "tasks/task-002.md"), "utf8")).toContain("title: mine");
  });

  test.each([
    ["tasks.json", "{", "IMPORT_BAD", ""],
    ["tasks.json", "[]", "IMPORT_BAD", "it is no mapping"],
    ["tasks.json", '{"tasks":[{"id":1}]}', "IMPORT_BAD", "task 1 of it has no title"],
    ["tasks.json", '{"tasks":[{"id":1,"title":"x","dependencies":[9]}]}', "IMPORT_BAD", '"1" depends on "9"'],
    ["tasks.json", '{"tasks":[{"id":1,"title":"x","dependencies":[1]}]}', "IMPORT_BAD", "depends on itself"],
    [
      "tasks.json",
      '{"tasks":[\n{"id":1,"title":"x"},\n{"id":2,"title":"y","dependencies":[9]}]}',
      "IMPORT_BAD",
      "tasks.json:3",
    ],
    ["tasks.json", '{"a":{"tasks":[]},\n"b":{"tasks":[\n\t{"id":1}]}}', "IMPORT_BAD", "tasks.json:3"],
    ["x.jsonl", '{"id":"a","title":"x"}\n{"id"', "IMPORT_BAD", "x.jsonl:2"],
    [
      "x.jsonl",
      '\n{"id":"a","title":"x","dependencies":[{"type":"blocks","depends_on_id":"z"}]}',
      "IMPORT_BAD",
      "x.jsonl:2",
    ],
    ["tasks.json", '{"tasks":[\n{"id":1,"title":"x","subtasks":[null]}]}', "IMPORT_BAD", "tasks.json:2"],
    [
      "tasks.json",
      '{"tasks":[{"id":1,"title":"x","subtasks":"y"}]}',
      "IMPORT_BAD",
      'the subtasks of "1" cannot be "y"',
    ],
    ["tasks.json", '{"tasks":[{"id":1,"title":"x","dependencies":{"a":1}}]}', "IMPORT_BAD", 'of "1" cannot be {"a":1}'],
    ["tasks.json", '{"tasks":[{"id":1,"title":"x","dependencies":[null]}]}', "IMPORT_BAD", "cannot be null"],
    ["tasks.json", '{"tasks":[{"id":1,"title":"x","description":{"a":1}}]}', "IMPORT_BAD", "the description of"],
    ["x.jsonl", '\n{"id":"a","title":"x","dependencies":[null]}', "IMPORT_BAD", "x.jsonl:2"],
    [
      "x.jsonl",
      '{"id":"a","title":"x","dependencies":{"a":1}}',
      "IMPORT_BAD",
      'the dependencies of "a" cannot be {"a":1}',
    ],
    [
      "x.jsonl",
      '{"id":"a","title":"x","dependencies":[{"a":1}]}',
      "IMPORT_BAD",
      'a dependency of "a" cannot be {"a":1}',
    ],
    ["x.jsonl", '{"id":"a","title":"x"}\n[]', "IMPORT_BAD", "a line is no issue"],
    ["TODO.md", "- [ ] good\n- [ ] ---\n", "IMPORT_BAD", "TODO.md:2"],
    ["TODO.md", "- [ ] same\n- [ ] Same!\n", "IMPORT_BAD", "TODO.md:2"],
    ["x.csv", "name\nx\n", "IMPORT_BAD", "no column id or key"],
    ["x.csv", "sep=;\nid;title\na;x\nb;y;more\n", "IMPORT_BAD", 'more cells than the first row has names ("more")'],
    ["x.csv", "id,title\na,x\nA,y\n", "IMPORT_BAD", "would both be the task A"],
    ["x.csv", "id,title\n???,x\n", "IMPORT_BAD", "can be no task's id"],
    [
      "x.csv",
      "Issue ID,Title,Description,Status,Project,Completed,Parent Issue\nA-1,,,,,,\n",
      "IMPORT_BAD",
      "no Title",
    ],
    ["vibe-kanban-export.zip", "PK", "IMPORT_UNKNOWN", "of Vibe Kanban's export that is issues.csv"],
    ["x.txt", "x", "IMPORT_UNKNOWN", "does not say what it is"],
  ])("%s that holds %s is refused, and nothing is written", async (name, text, code, words) => {
    const { repo, said } = await imported(name, text);
    expect(said.code).toBe(2);
    expect(said.err).toContain(`error[${code}]`);
    expect(said.err).toContain(words);
    expect(existsSync(join(repo, "tasks"))).toBe(false);
  });

  test("a file that is not there, and a tool that is not known, are said", async () => {
    const { repo } = repository({ "a.txt": "" });
    expect((await commandLine(repo, ["import", "no.csv"])).err).toContain("error[FILE_UNREADABLE]");
    expect((await commandLine(repo, ["import", "a.txt", "--from", "jira"])).err).toContain(
      "taskmaster | beads | checklist | csv | vibe-kanban",
    );
  });
});
