import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { git, repository, scratch, write } from "../../../test/support/scratch.ts";
import type { TaskFile } from "../../protocol/task-file.ts";
import { readMap, type Vocabulary } from "./map-file.ts";
import { overridesFrom } from "./overrides.ts";
import { pawlFile } from "./pawl-file.ts";
import { readConfiguration } from "./reading.ts";
import { createSource, findRepo } from "./source.ts";
import { nodeOf, parseYaml } from "./spot.ts";
import { taskFolder } from "./task-folder.ts";

const AGENT = "agents: {default: {command: ./fix.sh}}\n";
const task = (matter: string, body = "Do it.\n"): string => `---\n${matter}\n---\n${body}`;
const read = async (files: Record<string, string>, flags: Parameters<typeof overridesFrom>[0] = {}) => {
  const { repo } = repository({ "pawl.yaml": AGENT, ...files });
  return { repo, ...(await createSource({ repo, overrides: overridesFrom(flags, {}, repo) }).read()) };
};
const fileOf = (spec: { bytes: Uint8Array | null } | undefined): TaskFile =>
  JSON.parse(Buffer.from(spec!.bytes!).toString());

describe("settings", () => {
  test("an empty pawl.yaml works with --agent, which stands for every role", async () => {
    const { settings, errors, warnings } = await read({ "pawl.yaml": "" }, { agent: "./fix.sh", workers: "2" });
    expect(errors).toEqual([]);
    expect(settings?.agents.default).toMatchObject({ command: "./fix.sh", verdict: "exit_code", prompt: "file" });
    expect(settings?.cast).toMatchObject({ implementer: "default", verifier: "default" });
    expect(settings?.limits.maxWorkers).toBe(2);
    expect(settings?.maps.map(({ name }) => name)).toEqual(["default"]);
    expect(warnings.map(({ code }) => code)).toContain("CHECKS_MISSING");
  });

  test("a missing pawl.yaml is as an empty one", async () => {
    const { repo } = repository({});
    const { reading } = await readConfiguration({ repo, overrides: overridesFrom({ agent: "./fix.sh" }, {}, repo) });
    expect(reading.errors).toEqual([]);
    expect(reading.settings?.base).toBe("main");
  });

  test("where checks are set the verifier is `pawl check`, in a clean checkout; an agent of that name comes first", async () => {
    const { settings } = await read({
      "pawl.yaml": `${AGENT}checks: [npm test, {run: [npm, run, lint], timeout: 5m, when: ["src/**"]}]\n`,
    });
    expect(settings?.agents.verifier).toMatchObject({ command: ["pawl", "check"], verdict: "file" });
    expect(settings?.checks).toEqual([
      { run: "npm test", timeoutMs: 600_000, when: [] },
      { run: ["npm", "run", "lint"], timeoutMs: 300_000, when: ["src/**"] },
    ]);
    expect(settings?.maps[0]?.phases.verify?.step).toEqual({
      run: "agent",
      role: "verifier",
      checkout: "clean",
      pr: false,
    });
    const own = await read({ "pawl.yaml": "agents: {default: {command: a}, verifier: default}\nchecks: [npm test]\n" });
    expect(own.settings?.cast.verifier).toBe("default");
  });

  test("pawl is the built-in worker: by its name, with a model, in a task file, as a flag; and gets the names of key variables", async () => {
    const { settings, errors, specs } = await read({
      "pawl.yaml": `agents: {default: pawl, reviewer: {pawl: {model: fast, planner: openai/main, compaction: fast}}, formatter: {command: ./fix.sh}}
models: {fast: {provider: openai-compatible, base_url: "http://127.0.0.1:1/v1", model: m, key_env: VLLM_KEY}}
`,
      "tasks/task-1.md": task("title: One\nagents: {implementer: pawl}"),
    });
    expect(errors).toEqual([]);
    const { pawl, reviewer, formatter } = settings!.agents;
    expect(settings!.cast.implementer).toBe("pawl");
    expect(pawl).toMatchObject({ command: ["pawl", "work"], verdict: "file" });
    expect(reviewer).toMatchObject({
      command: ["pawl", "work", "--model", "fast", "--planner", "openai/main", "--compaction", "fast"],
    });
    expect(reviewer!.passes).toEqual(
      expect.arrayContaining(["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "VLLM_KEY", "PAWL_MODEL"]),
    );
    expect(formatter!.passes).toEqual([]);
    expect(fileOf(specs[0]).agents).toEqual({ implementer: "pawl" });
    const flag = await read({ "pawl.yaml": "" }, { agent: "pawl" });
    expect(flag.settings?.cast.implementer).toBe("pawl");
  });

  test("gates are answered by the rules, unless others are named; a model has to be one of pawl.yaml's", async () => {
    const usual = await read({});
    expect(usual.settings?.limits.gates).toEqual({ go: ["rules"], next: ["rules"], timeoutMs: 86_400_000 });
    const own = await read({ "pawl.yaml": `${AGENT}gates: {go: human, next: [rules, human, rules], timeout: 2h}\n` });
    expect(own.settings?.limits.gates).toEqual({ go: ["human"], next: ["rules", "human"], timeoutMs: 7_200_000 });
    const later = await read({ "pawl.yaml": `${AGENT}gates: {next: [rules, "model:reviewer"], go: nobody}\n` });
    expect(later.errors.map(({ code }) => code)).toEqual(["MODEL_NAME", "TYPE_BAD"]);
    const models =
      "models: {main: anthropic/x}\nagents: {default: {command: ./a.sh}, reviewer: {pawl: {model: main}}}\n";
    const known = await read({ "pawl.yaml": `${models}gates: {go: "model:main", next: [rules, "model:reviewer"]}\n` });
    expect(known.errors).toEqual([]);
    expect(known.settings?.limits.gates).toMatchObject({ go: ["model:main"], next: ["rules", "model:reviewer"] });
  });

  test.each([
    ["agents: {default: {pawl: {model: fats}}}", 'write "fast".'],
    ["agents: {default: pawl, reviewer: {pawl: {planner: nosuch}}}", "add nosuch below models:"],
    ["agents: {default: pawl, screen: {device: {target: adb, model: nosuch/x}}}", "add nosuch/x below models:"],
    ["agents: {default: {pawl: {model: nosuch/}}}", "providers are anthropic"],
  ])("a model that an agent of ours is to think with has to be known: %s", async (agents, next) => {
    const { errors } = await read({ "pawl.yaml": `${agents}\nmodels: {fast: anthropic/x}\n` });
    expect(errors).toMatchObject([{ code: "MODEL_NAME", next: expect.stringContaining(next) }]);
    expect(errors[0]!.at).toMatchObject({ file: "pawl.yaml", line: 1 });
  });

  test("a model with a fault of its own is told of that alone", async () => {
    const { errors } = await read({
      "pawl.yaml": "agents: {default: {pawl: {model: eyes}}}\nmodels: {eyes: nosuch}\n",
    });
    expect(errors.map(({ code }) => code)).toEqual(["TYPE_BAD"]);
  });

  test.each(["tasks/pipe.md", "pawl.yaml"])(
    "a pipe in place of %s is a fault, and nobody waits for it",
    async (name) => {
      const { repo } = repository({ "README.md": "x", "tasks/one.md": task("title: One") });
      execFileSync("mkfifo", [join(repo, name)]);
      const { errors } = await createSource({ repo, overrides: overridesFrom({}, {}, repo) }).read();
      expect(errors.map(({ message }) => message)).toContainEqual(
        expect.stringContaining(`${name} cannot be read: it is no file`),
      );
    },
  );

  test("an agent of pawl.yaml that is called pawl is that one; one that is both is a fault", async () => {
    const own = await read({ "pawl.yaml": "agents: {default: pawl, pawl: {command: ./mine.sh}}\n" });
    expect(own.settings?.agents.pawl).toMatchObject({ command: "./mine.sh", passes: [] });
    const both = await read({ "pawl.yaml": "agents: {default: {command: ./a.sh, pawl: {model: openai/x}}}\n" });
    expect(both.errors.map(({ code, message }) => [code, message])).toEqual([
      ["TYPE_BAD", "agents.default is a command or the built-in worker, and cannot be both"],
    ]);
  });

  test("the flag comes before the environment, the environment before the file", () => {
    const env = { PAWL_STORE: "env.db", PAWL_AGENT: "from-env" };
    expect(overridesFrom({ store: "flag.db" }, env, "/r")).toEqual({
      store: { value: "/r/flag.db", from: "--store" },
      agent: { value: "from-env", from: "PAWL_AGENT" },
    });
    expect(() => overridesFrom({ workers: "0" }, {}, "/r")).toThrow(/from 1 to 9999/);
    expect(() => overridesFrom({ store: "mysql://x/y" }, {}, "/r")).toThrow(/PostgreSQL server only/);
  });

  test("a store on a server is an address, from flag, environment and file", async () => {
    const url = "postgres://jo:tr0ub4dor@db/pawl?schema=shop";
    expect(overridesFrom({ store: url }, {}, "/r").store).toEqual({ value: url, from: "--store" });
    expect(overridesFrom({}, { PAWL_STORE: url }, "/r").store).toEqual({ value: url, from: "PAWL_STORE" });
    expect(() => overridesFrom({ store: "postgres://jo:tr0ub4dor@[x/y" }, {}, "/r")).toThrow(
      expect.objectContaining({ code: "STORE_ADDRESS", message: expect.not.stringContaining("tr0ub4dor") }),
    );
    const { settings } = await read({
      "pawl.yaml": `${AGENT}\nstore: {postgres_env: PAWL_DATABASE_URL, schema: shop}\n`,
    });
    expect(settings?.store).toBe("postgres-env:PAWL_DATABASE_URL?schema=shop");
  });

  test("budgets, limits, signals, actions and the sandbox come to numbers, paths and lists", async () => {
    const yaml = `${AGENT}
limits: {max_crashes: 2, max_hold_hours: 0.5, fix_attempts: 0}
budgets: {task: {cost_usd: 2.5, tokens: 2M, wall: 4h, spawns: 20}, backlog: {spawns: 400}, on_limit: fail}
signals: {approval: patch, human-approval: {from: [lead], inbox: answers}, window: {command: ./w.sh, every: 5m, pr: true}}
actions: {changelog: {command: ./c.sh, timeout: 5m, check: [grep, x, y]}}
tasks: work/items
sandbox: {env: [PATH]}
`;
    const { settings, repo } = await read({ "pawl.yaml": yaml });
    expect(settings?.limits).toMatchObject({
      maxCrashes: 2,
      maxHoldMs: 1_800_000,
      onLimit: "fail",
      approval: "patch",
      budget: { spawns: 400, microUsd: null },
    });
    expect(settings?.sendsBack).toEqual({ fix_attempts: 0 });
    expect(settings?.signals).toEqual({
      "human-approval": {
        kind: "human",
        name: "human-approval",
        pr: true,
        from: ["lead"],
        inbox: join(repo, "answers"),
      },
      window: { kind: "command", name: "window", pr: true, command: "./w.sh", everyMs: 300_000 },
    });
    expect(settings?.actions.changelog).toMatchObject({
      timeoutMs: 300_000,
      idempotent: false,
      check: ["grep", "x", "y"],
      pr: false,
    });
    expect(settings?.env).toEqual(["PATH"]);
    expect(settings?.protect).toContain("work/items/**");
  });

  test("a role file of one's own wins over the built-in one and works where that one does", async () => {
    const { settings } = await read({
      "pawl.yaml": `${AGENT}roles: [mine, roles]\n`,
      "mine/verifier.md": "---\nname: verifier\ncolor: red\n---\nLook closely.\n",
      "roles/verifier.md": "Never read.\n",
    });
    expect(settings?.roles.verifier).toBe("Look closely.");
    expect(settings?.maps[0]?.phases.verify?.step).toMatchObject({ checkout: "clean" });
  });

  test("a role file that is broken counts only where a phase runs the role", async () => {
    const broken = "---\ndescription: use this: always\n---\n";
    const unused = await read({ "roles/poet.md": broken });
    expect(unused.errors).toEqual([]);
    expect(unused.warnings.map(({ code }) => code)).toContain("YAML_BAD");
    const used = await read({ "roles/implementer.md": broken });
    expect(used.errors.map(({ at }) => `${at.file}:${at.line}`)).toEqual(["roles/implementer.md:2"]);
  });

  test("a map has the same hash wherever it is read, and another one when a step means something else", async () => {
    const hashOf = async (yaml: string) => (await read({ "pawl.yaml": yaml })).settings?.maps[0]?.hash;
    const first = await hashOf(AGENT);
    expect(first).toMatch(/^sha256-[0-9a-f]{64}$/);
    expect(await hashOf(`${AGENT}limits: {max_workers: 9}\n`)).toBe(first);
    expect(await hashOf(`${AGENT}signals: {human-approval: {pr: false}}\n`)).not.toBe(first);
  });

  test("a map that nobody uses may be broken, unless every map is checked", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT, "phase-maps/old.yaml": "phases: {}\n" });
    expect((await readConfiguration({ repo, overrides: {} })).reading.errors).toEqual([]);
    expect(
      (await readConfiguration({ repo, overrides: {}, every: true })).reading.errors.map(({ code }) => code),
    ).toEqual(["PHASES_MISSING"]);
  });
});

describe("task files", () => {
  test("title and body are enough; what is filled in is named", async () => {
    const { specs, errors } = await read({
      "pawl.yaml": `${AGENT}checks: [npm test]\ndefaults: {authorized_files: ["src/**"], timeout_minutes: 20, type: code_modify}\n`,
      "tasks/task-1.md": task("title: Search"),
    });
    expect(errors).toEqual([]);
    expect(fileOf(specs[0])).toMatchObject({
      id: "task-1",
      path: "tasks/task-1.md",
      title: "Search",
      body: "Do it.\n",
      type: "code_modify",
      acceptanceCriteria: [{ id: "AC-001", text: "Search" }],
      testDelta: { add: [], update: [], regression: [{ name: "npm test", command: "npm test" }] },
      authorizedFiles: ["src/**"],
      timeoutMinutes: 20,
      filled: ["acceptance_criteria", "test_delta", "authorized_files", "timeout_minutes"],
    });
    expect(specs[0]?.terms).toMatchObject({
      touches: [],
      wallMs: 1_200_000,
      base: "main",
      branch: "pawl/task-1",
      phases: "default",
      draft: false,
    });
  });

  test("a task's own words come to terms: authorized files are what it touches, its budget only tightens", async () => {
    const { specs } = await read({
      "pawl.yaml": `${AGENT}budgets: {task: {cost_usd: 5, spawns: 4}}\n`,
      "tasks/b.md": task(
        'title: x\ndeps: [a, a]\nauthorized_files: ["src/**"]\nbudget: {cost_usd: 3, spawns: 8, wall: 1h}\nmax_task_rounds: 7\ndraft: true\nphases: auto',
      ),
      "tasks/a.md": task("title: y\ntouches: docs/**\nauthorized_files: [src/x.ts]"),
    });
    expect(specs.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(specs[0]?.terms.touches).toEqual(["docs/**"]);
    expect(specs[1]?.terms).toMatchObject({
      deps: ["a"],
      touches: ["src/**"],
      limit: { microUsd: 3_000_000, tokens: null, wallMs: 3_600_000, spawns: 4 },
      maxRounds: 7,
      draft: true,
      phases: "auto",
    });
  });

  test("every map that a task uses is among the settings, the usual one first", async () => {
    const { settings } = await read({
      "tasks/a.md": task("title: x\nphases: auto"),
      "tasks/b.md": task("title: x\nphases: auto"),
    });
    expect(settings?.maps.map(({ name }) => name)).toEqual(["default", "auto"]);
  });

  test("keys of other tools are kept, and named once for all files", async () => {
    const { specs, warnings, errors } = await read({
      "pawl.yaml": `${AGENT.replace("./fix.sh", "fix")}checks: [npm test]\n`,
      "tasks/a.md": task("title: x\npriority: 3\ndep: [b]"),
      "tasks/b.md": task("title: y\npriority: {high: yes}"),
    });
    expect(errors).toEqual([]);
    expect(fileOf(specs[1]).extra).toEqual({ priority: { high: "yes" } });
    expect(warnings.map(({ code, message, at }) => [code, message, at.file, at.line])).toEqual([
      [
        "KEY_FOREIGN",
        '"priority" is not a key of Pawl\'s: it is kept, and means nothing (in 2 files)',
        "tasks/a.md",
        3,
      ],
      ["KEY_FOREIGN", '"dep" is not a key of Pawl\'s: it is kept, and means nothing', "tasks/a.md", 4],
    ]);
    expect(warnings[1]?.next).toBe('write "deps", if that is what is meant.');
  });

  test("a faulty file is left out and the others are read; a README is no task", async () => {
    const { specs, errors, settings } = await read({
      "tasks/a.md": task("title: [x]"),
      "tasks/b.md": task("title: y\ndeps: [a]"),
      "tasks/README.md": "About.\n",
    });
    expect(specs.map(({ id }) => id)).toEqual(["b"]);
    expect(errors.map(({ at }) => at.file)).toEqual(["tasks/a.md"]);
    expect(settings).not.toBeNull();
  });

  test("a dependency whose file was deleted is no fault while the store knows it", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT, "tasks/b.md": task("title: y\ndeps: [a]") });
    const known = await createSource({ repo, overrides: {}, isKnown: (id) => id === "a" }).read();
    expect(known.errors).toEqual([]);
    expect((await createSource({ repo, overrides: {} }).read()).errors.map(({ code }) => code)).toEqual([
      "DEPS_UNKNOWN",
    ]);
  });

  test("a chain of dependencies as long as the backlog is no circle, and ends no stack", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT });
    mkdirSync(join(repo, "tasks"));
    for (let i = 1; i <= 1_000; i++)
      writeFileSync(join(repo, "tasks", `t${i}.md`), task(`title: t\ndeps: [${i === 1_000 ? "t1" : `t${i + 1}`}]`));
    const { errors, specs } = await createSource({ repo, overrides: {} }).read();
    expect(errors.map(({ code }) => code)).toEqual(["DEPS_CYCLE"]);
    expect(specs).toEqual([]);
  });
});

describe("reading again", () => {
  test.each([
    ["broken", "defaults: {authorized_files: [\n"],
    ["wrong", "agents: {default: {command: ./fix.sh}}\ndefaults: {authorized_file: [x]}\n"],
    ["away", null],
  ])("what pawl.yaml gave to tasks holds while it is %s", async (_, text) => {
    const config = `${AGENT}tasks: todo\nbranch_prefix: bot/\ndefaults: {authorized_files: ["src/**"]}\n`;
    const { repo } = repository({ "pawl.yaml": config, "todo/a.md": task("title: A") });
    const source = createSource({ repo, overrides: overridesFrom({ agent: "./fix.sh" }, {}, repo) });
    const whole = await source.read();
    expect(fileOf(whole.specs[0]).authorizedFiles).toEqual(["src/**"]);
    if (text === null) rmSync(join(repo, "pawl.yaml"));
    else write(repo, { "pawl.yaml": text });
    const broken = await source.read();
    expect(broken.settings).toBe(null);
    expect(broken.errors).not.toEqual([]);
    expect(broken.specs).toEqual(whole.specs);
    write(repo, { "pawl.yaml": config.replace("src", "lib") });
    expect(fileOf((await source.read()).specs[0]).authorizedFiles).toEqual(["lib/**"]);
  });

  test("a file that did not change is not read again; one that did is, also where its size stayed the same", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT, "tasks/a.md": task("title: one") });
    const path = join(repo, "tasks", "a.md");
    const source = createSource({ repo, overrides: {} });
    const title = async () => (await source.read()).specs[0]?.terms.title;
    const old = new Date(Date.now() - 60_000);
    utimesSync(path, old, old);
    expect(await title()).toBe("one");
    const folder = taskFolder(repo);
    const [first] = await folder.read("tasks");
    expect((await folder.read("tasks"))[0]).toBe(first);
    utimesSync(path, old, new Date());
    const [young] = await folder.read("tasks");
    expect((await folder.read("tasks"))[0]).not.toBe(young);
    utimesSync(path, old, old);
    writeFileSync(path, task("title: two"));
    expect(await title()).toBe("two");
    writeFileSync(path, task("title: six"));
    expect(await title()).toBe("six");
    write(repo, { "pawl.yaml": `${AGENT}defaults: {timeout_minutes: 5}\n` });
    expect((await source.read()).specs[0]?.terms.wallMs).toBe(300_000);
    renameSync(path, join(repo, "tasks", "b.md"));
    expect((await source.read()).specs.map(({ id }) => id)).toEqual(["b"]);
  });

  test("a file that is no task any more is none, whatever came at the same time", async () => {
    const { repo } = repository({
      "pawl.yaml": AGENT,
      "tasks/a.md": task("title: one"),
      "tasks/b.md": task("title: two"),
    });
    const source = createSource({ repo, overrides: {} });
    const old = new Date(Date.now() - 60_000);
    const ids = async () => {
      // what is young is read again each time
      for (const name of readdirSync(join(repo, "tasks"))) {
        const path = join(repo, "tasks", name);
        if (statSync(path).mtimeMs > old.getTime()) utimesSync(path, old, old);
      }
      return (await source.read()).specs.map(({ id }) => id);
    };
    expect(await ids()).toEqual(["a", "b"]);
    await ids();
    rmSync(join(repo, "tasks", "b.md"));
    write(repo, { "tasks/README.md": "About.\n" });
    expect(await ids()).toEqual(["a"]);
    write(repo, { "tasks/README.md": task("title: a task") });
    expect(await ids()).toEqual(["README", "a"]);
    write(repo, { "tasks/README.md": "About.\n" });
    expect(await ids()).toEqual(["a"]);
  });

  test("1,000 task files are read in a second or two, and again in a fraction of it", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT });
    mkdirSync(join(repo, "tasks"));
    const old = new Date(Date.now() - 60_000);
    for (let i = 0; i < 1_000; i++) {
      const path = join(repo, "tasks", `t${i}.md`);
      writeFileSync(path, task(`title: Task ${i}\nauthorized_files: ["src/${i}/**"]\nbudget: {spawns: 3}`));
      utimesSync(path, old, old);
    }
    const source = createSource({ repo, overrides: {} });
    // CPU time: what else runs on this machine does not count.
    const cost = async () => {
      const before = process.cpuUsage();
      expect((await source.read()).specs).toHaveLength(1_000);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    expect(await cost()).toBeLessThan(2_500);
    expect(await cost()).toBeLessThan(400);
  });

  test("a change is told soon, also in a folder that is made later; the hints end with the signal", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT });
    const stop = new AbortController();
    const source = createSource({ repo, overrides: {} });
    const hints = source.changed(stop.signal)[Symbol.asyncIterator]();
    const told = async (change: () => void) => {
      const hint = hints.next();
      change();
      return (await hint).done;
    };
    expect(await told(() => undefined)).toBe(false);
    expect(await told(() => write(repo, { "tasks/a.md": task("title: x") }))).toBe(false);
    expect(await told(() => write(repo, { "pawl.yaml": `${AGENT}base: main\n` }))).toBe(false);
    expect(await told(() => rmSync(join(repo, "tasks", "a.md")))).toBe(false);
    const last = hints.next();
    stop.abort();
    expect((await last).done).toBe(true);
  });
});

describe("the repository", () => {
  test("one without commits is an error that says how to make the first", async () => {
    const repo = scratch();
    git(repo, "init", "-q", "-b", "main");
    const { settings, errors } = await createSource({
      repo,
      overrides: overridesFrom({ agent: "x" }, {}, repo),
    }).read();
    expect(settings).toBeNull();
    expect(errors.map(({ code, next }) => [code, next])).toEqual([["REPO_EMPTY", "git add . && git commit -m Start"]]);
  });

  test("a folder that is in none, a bare one, and one that is not there are told apart", async () => {
    const folder = scratch();
    await expect(findRepo(folder)).rejects.toMatchObject({ code: "REPO_MISSING" });
    git(folder, "init", "-q", "--bare", "b.git");
    await expect(findRepo(join(folder, "b.git"))).rejects.toMatchObject({ code: "REPO_BARE" });
    await expect(findRepo(join(folder, "nowhere"))).rejects.toMatchObject({ code: "GIT_MISSING" });
  });

  test("from a folder inside, or from a worktree, the main checkout is found", async () => {
    const { repo } = repository({ "src/a.ts": "" });
    git(repo, "worktree", "add", "-q", join(repo, ".pawl", "worktrees", "t"), "-b", "pawl/t");
    expect(await findRepo(join(repo, "src"))).toBe(repo);
    expect(await findRepo(join(repo, ".pawl", "worktrees", "t", "src"))).toBe(repo);
  });

  test("the base is origin's HEAD, else the branch that is checked out; without either it has to be said", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT }, { origin: true });
    const base = async () => (await createSource({ repo, overrides: {} }).read()).settings?.base;
    git(repo, "checkout", "-q", "-b", "work");
    expect(await base()).toBe("work");
    git(repo, "remote", "set-head", "origin", "main");
    expect(await base()).toBe("main");
    git(repo, "remote", "set-head", "origin", "--delete");
    git(repo, "checkout", "-q", "--detach");
    expect(await base()).toBeUndefined();
  });
});

const WORDS: Vocabulary = {
  roles: new Map(),
  cast: new Set(),
  actions: new Map(),
  signals: new Map(),
  isBroken: () => false,
};
const isNothing = (yaml: string): boolean => nodeOf(parseYaml({ file: "x", yaml })) === null || yaml.trim() === "{}";

describe("anything at all", () => {
  const { map, dict, leaf } = fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.constantFrom(
        "done",
        "agent implementer",
        "default",
        "10m",
        "*a",
        "&a x",
        "!!int 3",
        "~",
        "[",
        "{a",
        "'",
        "- x",
        "7",
        "true",
        "src/**",
        "<<",
        "__proto__",
        "é\u0000",
      ),
      fc.string({ maxLength: 6 }),
    ),
    list: fc.array(tie("map"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    dict: fc
      .array(
        fc.tuple(
          fc.constantFrom(
            "tasks",
            "roles",
            "phases",
            "base",
            "checks",
            "run",
            "agents",
            "default",
            "command",
            "limits",
            "max_workers",
            "signals",
            "approval",
            "human-approval",
            "x",
            "actions",
            "budgets",
            "task",
            "worktree",
            "defaults",
            "sandbox",
            "env",
            "on_pass",
            "deps",
            "id",
            "title",
            "acceptance_criteria",
            "test_delta",
            "regression",
            "budget",
            "__proto__",
            "constructor",
            "",
          ),
          tie("map"),
        ),
        { maxLength: 5 },
      )
      .map((pairs) => `{${pairs.map(([key, value]) => `${key}: ${value}`).join(", ")}}`),
    map: fc.oneof({ depthSize: "small" }, tie("leaf"), tie("list"), tie("dict")),
  })) as { map: fc.Arbitrary<string>; dict: fc.Arbitrary<string>; leaf: fc.Arbitrary<string> };
  const block = fc
    .array(fc.tuple(fc.constantFrom("phases", "agents", "checks", "id", "title", "deps", "budget", "signals"), map), {
      maxLength: 4,
    })
    .map((pairs) => pairs.map(([key, value]) => `${key}: ${value}\n`).join(""));

  test("random YAML in every file is read to errors, never to an exception, and every error has a place in a file that is there", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT });
    const many = fc.array(fc.oneof(block, dict, leaf), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(block, dict, leaf), many, many, async (pawl, maps, matters) => {
        const files = {
          ...Object.fromEntries(maps.map((text, i) => [`phase-maps/m${i}.yaml`, text])),
          ...Object.fromEntries(matters.map((text, i) => [`tasks/t${i}.md`, `---\n${text}\n---\n`])),
          ...Object.fromEntries(matters.map((text, i) => [`roles/r${i}.md`, `---\n${text}\n---\n`])),
        };
        write(repo, { "pawl.yaml": pawl, ...files });
        const { reading } = await readConfiguration({ repo, overrides: {}, every: true });
        for (const { code, at, message } of [...reading.errors, ...reading.warnings]) {
          expect(code).toMatch(/^[A-Z0-9_]+$/);
          expect(message).not.toContain("undefined");
          if (at.file !== undefined) expect(["pawl.yaml", ...Object.keys(files)]).toContain(at.file);
        }
        if (reading.settings) expect(reading.errors.every(({ at }) => at.file?.startsWith("tasks/"))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test("random YAML in pawl.yaml and in a map comes to what was said, or to a fault", () => {
    fc.assert(
      fc.property(fc.oneof(block, dict, leaf), (yaml) => {
        const spot = parseYaml({ file: "pawl.yaml", yaml });
        const file = pawlFile(spot);
        const map = readMap(parseYaml({ file: "m.yaml", yaml }), "m", WORDS);
        return (Object.keys(file).length > 0 || spot.text.faults.length > 0 || isNothing(yaml)) && map === null;
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ["nested a thousand levels deep", "[".repeat(20_000)],
    [
      "aliases of aliases",
      `a: &a [x, x]\n${"bcdefghij"
        .split("")
        .map((k, i) => `${k}: &${k} [${Array(9).fill(`*${"abcdefghi"[i]}`).join(", ")}]\n`)
        .join("")}checks: *j\n`,
    ],
    ["an alias of itself", "agents: &a {default: *a}\n"],
    ["many keys", Array.from({ length: 5_000 }, (_, i) => `k${i}: 1`).join("\n")],
  ])("YAML that is meant to hurt is refused in time: %s", async (_, yaml) => {
    const { repo } = repository({ "pawl.yaml": yaml });
    const { reading } = await readConfiguration({ repo, overrides: {} });
    expect(reading.settings).toBeNull();
    expect(reading.errors.length).toBeGreaterThan(0);
  });
});
