import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AcpHouse, acpEnds } from "../support/acp-agent/acp-house.ts";
import type { Script, Step } from "../support/acp-agent/script.ts";
import { git } from "../support/scratch.ts";

const WORK: Step = { do: "write", path: "src/b.txt", text: "b\n" };
const MiB = 1024 * 1024;
const says =
  (task: string, script: Script | readonly Step[], more: Parameters<AcpHouse["acp"]>[1] = {}) =>
  (home: AcpHouse) =>
    home.acp(script, { task, ...more });

const OUTSIDE = "../../../outside.txt";
const { home, end } = acpEnds({
  late: says("late", [WORK, { do: "say", text: "early" }, { do: "late", text: "and late" }]),
  ids: says("ids", [
    { do: "raw", text: '{"jsonrpc":"2.0","id":999,"result":{}}\n' },
    {
      do: "update",
      params: {
        sessionId: "another",
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "theirs" } },
      },
    },
    { do: "update", params: { sessionId: 7 } },
    { do: "tool", id: "never-begun", title: "no call", kind: "edit", status: "completed" },
    WORK,
  ]),
  methods: says("methods", [
    { do: "request", method: "_vendor/thing" },
    { do: "raw", text: '{"jsonrpc":"2.0","method":"_vendor/told","params":{}}\n' },
    { do: "update", params: { sessionId: "x", update: { sessionUpdate: "of_a_later_version" } } },
    WORK,
  ]),
  noise: says("noise", [{ do: "raw", text: 'Loading the model ...\n{"no json\n[1,2]\n\n' }, WORK]),
  huge: says("huge", [
    { do: "say", text: "x", size: 3 * MiB },
    { do: "raw", text: '{"jsonrpc":"2.0","id":"big","method":"fs/write_text_file","params":{"text":"' },
    { do: "raw", text: "y", size: MiB, times: 65 },
    { do: "raw", text: '"}}\n' },
    { do: "write", path: "src/big.txt", text: "z", size: 2 * MiB },
  ]),
  half: says("half", [
    {
      do: "raw",
      text: '{"jsonrpc":"2.0","id":5,"method":"fs/write_text_file","params":{"path":"/src/half.txt","content":"',
    },
    { do: "die", signal: "SIGKILL" },
  ]),
  dies: says("dies", [WORK, { do: "die", code: 3 }]),
  scope: says("scope", [
    { do: "write", path: "README.md", text: "theirs\n" },
    { do: "write", path: "pawl.yaml", text: "agents: {}\n" },
    { do: "write", path: OUTSIDE, text: "out\n" },
    { do: "shell", command: "ln -s ../../../.. src/up" },
    { do: "write", path: "src/up/up.txt", text: "up\n" },
    { do: "shell", command: "rm src/up" },
    WORK,
  ]),
  options: says("options", [
    { do: "ask", kind: "edit", title: "none", options: [] },
    { do: "ask", kind: "edit", title: "only no", options: ["reject_always"] },
    { do: "ask", kind: "edit", title: "for ever", options: ["reject_once", "allow_always"] },
    { do: "ask", kind: "edit", title: "odd", options: ["maybe", "allow_always", "allow_once"] },
    { do: "ask", kind: "conjure", title: "unknown kind", options: ["allow_once"] },
    { do: "ask", kind: "edit", title: "outside", options: ["allow_once", "reject_once"], path: "README.md" },
    { do: "ask", kind: "edit", title: "far outside", options: ["allow_once", "reject_always"], path: OUTSIDE },
    WORK,
  ]),
  fetch: says("fetch", [{ do: "ask", kind: "fetch", title: "a page", options: ["allow_once", "reject_once"] }, WORK], {
    flags: ["--permit", "fetch=reject"],
  }),
  asks: says(
    "asks",
    [{ do: "ask", kind: "execute", title: "rm -rf build", options: ["allow_once", "reject_once"] }, { do: "hang" }],
    {
      flags: ["--permit", "execute=ask", "--ask-timeout", "200"],
    },
  ),
  nothing: says("nothing", [{ do: "say", text: "I think it is done." }]),
});

const PASSES = { how: "verdict", verdict: "PASS" };

describe("whatever an agent does, nothing is lost and nothing is stuck:", () => {
  it("what it says after its turn is taken", () => {
    expect(end("late")).toMatchObject(PASSES);
    expect(home().log("late")).toMatch(/says early ?and late|says early\nsays and late/);
  });

  it("ids that nobody knows, and another session's words, change nothing", () => {
    expect(end("ids")).toMatchObject(PASSES);
    const log = home().log("ids");
    expect(log).not.toContain("says theirs");
    expect(log).toContain("an update of session another was left out");
    expect(log).toContain("an update that cannot be read was left out");
  });

  it("a method that is not there is answered so, and what is told of a later version is left alone", () => {
    expect(end("methods")).toMatchObject(PASSES);
    expect(home().heard("methods")).toContainEqual({ what: "answered", method: "_vendor/thing", code: -32_601 });
  });

  it("lines that are no messages stand in the log, and are not answered", () => {
    expect(end("noise")).toMatchObject(PASSES);
    const log = home().log("noise");
    expect(log).toContain("stdout Loading the model ...");
    expect(log).toContain('stdout {"no json');
    expect(log).toContain("stdout [1,2]");
  });

  it("a message of megabytes is taken, one of more than can be read is refused to who sent it", () => {
    expect(end("huge")).toMatchObject({ ...PASSES, change: { files: 1 } });
    expect(home().log("huge")).toMatch(/stdout a line of 68\d{6} bytes was left out/);
    expect(git(home().repo, "show", "pawl/huge:src/big.txt")).toHaveLength(2 * MiB);
  });

  it("death in the middle of a write writes nothing", () => {
    expect(end("half")).toMatchObject({ how: "no-verdict", change: { commits: 0 } });
    expect(home().log("half")).toContain("ended by SIGKILL");
    expect(git(join(home().parts.state, "worktrees/half"), "status", "--short")).toBe("");
  });

  it("death in the middle of a turn is a crash, and keeps what was written", () => {
    expect(end("dies")).toMatchObject({
      how: "no-verdict",
      detail: expect.stringMatching(/without writing verdict .*the agent went away or failed: it ended \(exit 3\)/),
    });
    expect(home().log("dies")).toMatch(/crash +it ended \(exit 3\)/);
    expect(git(join(home().parts.state, "worktrees/dies"), "status", "--short")).toBe("?? src/b.txt");
  });

  it("nothing outside the scope is written through us, by whatever name", () => {
    expect(end("scope")).toMatchObject({ ...PASSES, change: { files: 1 } });
    const refused = home()
      .heard("scope")
      .filter(({ what }) => what === "refused");
    expect(refused.map(({ path }) => path)).toEqual(["README.md", "pawl.yaml", OUTSIDE, "src/up/up.txt"]);
    expect(refused[0]?.why).toContain("OUT_OF_SCOPE");
    expect(existsSync(join(home().repo, "..", "outside.txt"))).toBe(false);
    expect(existsSync(join(home().repo, "up.txt"))).toBe(false);
  });

  it("permission is given by the kind of an option, never by its id, and once where there is that", () => {
    expect(end("options")).toMatchObject(PASSES);
    const chosen = home()
      .heard("options")
      .filter(({ what }) => what === "permission")
      .map(({ title, chosen }) => `${title}: ${chosen}`);
    expect(chosen).toEqual([
      "none: cancelled",
      "only no: cancelled",
      "for ever: allow_always",
      "odd: allow_once",
      "unknown kind: allow_once",
      "outside: reject_once",
      "far outside: reject_always",
    ]);
  });

  it("what its policy rejects is refused, and what it asks a person for blocks the work where nobody answers", () => {
    expect(end("fetch")).toMatchObject(PASSES);
    expect(home().heard("fetch")).toContainEqual({ what: "permission", title: "a page", chosen: "reject_once" });
    expect(end("asks")).toMatchObject({
      how: "verdict",
      verdict: "BLOCKED",
      detail: expect.stringContaining("permissions: {execute: allow}"),
    });
    expect(home().heard("asks").at(-1)).toEqual({ what: "session/cancel" });
  });

  it("an agent that says done and did nothing is sent back", () => {
    expect(end("nothing")).toMatchObject({
      how: "verdict",
      verdict: "FAIL",
      detail: expect.stringMatching(/nothing changed; say NO_CHANGE[\s\S]*I think it is done/),
    });
  });
});
