import { expect, it } from "vitest";
import { house } from "../../../test/support/host.ts";

const says = (json: string): { readonly command: string } => ({
  command: `printf '%s' '${json}' > "$PAWL_LEG_DIR/waiting.json"; exit 5`,
});

it("a worker that says a provider is away has waited, and has not crashed; what cannot be read says nothing", async () => {
  const { through } = await house();
  const end = await through({ task: "task-1", program: says('{"until":1790000000000.4,"why":"429 of fast"}') });
  expect(end).toMatchObject({ how: "rate-limited", until: 1_790_000_000_000, detail: "429 of fast" });
  const unknown = await through({ task: "task-2", program: says('{"until":null,"why":"no answer"}') });
  expect(unknown).toMatchObject({ how: "rate-limited", until: null, detail: "no answer" });
  const half = await through({ task: "task-3", program: says('{"until":17900') });
  expect(half).toMatchObject({ how: "no-verdict", detail: expect.stringContaining("exit 5") });
});

it("who is not logged in, or cannot begin, has not crashed: a person or the host has the next move", async () => {
  const { through } = await house();
  const login = says('{"for":"auth","until":null,"why":"log in"}');
  expect(await through({ task: "task-1", program: login })).toMatchObject({ how: "auth", detail: "log in" });
  const spent = says('{"for":"quota","until":null,"why":"402"}');
  expect(await through({ task: "task-3", program: spent })).toMatchObject({ how: "auth", cause: "quota" });
  const gone = says('{"for":"not-started","until":null,"why":"no such program"}');
  expect(await through({ task: "task-2", program: gone })).toMatchObject({ how: "setup", detail: "no such program" });
});

it("a verdict counts before what its worker waits for", async () => {
  const { through } = await house();
  const { command } = says('{"until":null,"why":"429"}');
  const verdict = `printf '%s' '{"verdict":"FAIL","detail":"no"}' > "$PAWL_RUN_DIR/verdict.json"; ${command}`;
  expect(await through({ program: { command: verdict } })).toMatchObject({ how: "verdict", verdict: "FAIL" });
});
