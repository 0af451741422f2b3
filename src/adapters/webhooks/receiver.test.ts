import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type Delivery,
  deliver,
  gitHubDelivery,
  gitLabDelivery,
  type Hook,
} from "../../../test/support/forge-server/hooks.ts";
import { gitHubProver, gitLabProver } from "./proof.ts";
import { openReceiver, type ReceiverOptions } from "./receiver.ts";

const SECRET = "a secret of the hook";
const SIGNING = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

async function stage(more: Partial<ReceiverOptions> = {}) {
  const seen: string[] = [];
  const receiver = await openReceiver({
    ...{ host: "127.0.0.1", port: 0 },
    provers: { github: gitHubProver(SECRET), gitlab: gitLabProver(SIGNING) },
    taken: (topic) => void seen.push(`taken ${topic}`),
    refused: (sender) => void seen.push(`refused ${sender}`),
    ...more,
  });
  onTestFinished(() => receiver.close());
  const hook = (sender: "github" | "gitlab", secret: string): Hook => ({ url: `${receiver.url}/${sender}`, secret });
  return { seen, receiver, github: hook("github", SECRET), gitlab: hook("gitlab", SIGNING) };
}

const changed = ({ headers, body }: Delivery, more: Readonly<Record<string, string>>, text = body): Delivery => ({
  headers: { ...headers, ...more },
  body: text,
});

describe("hooks of a forge", () => {
  test("with a right signature are taken; what they are about is said, and an event that nobody waits for has no effect", async () => {
    const { seen, github, gitlab } = await stage();
    const payload = { action: "submitted", text: "ü".repeat(100_000) };
    expect(await deliver(github, gitHubDelivery(github, "pull_request_review", payload))).toBe(202);
    expect(await deliver(github, gitHubDelivery(github, "issues", payload))).toBe(202);
    expect(await deliver(github, gitHubDelivery(github, "ping", {}))).toBe(204);
    expect(await deliver(github, gitHubDelivery(github, "constructor", {}))).toBe(204);
    expect(await deliver(gitlab, gitLabDelivery(gitlab, "Merge Request Hook", payload))).toBe(202);
    expect(await deliver(gitlab, gitLabDelivery(gitlab, "Issue Hook", payload))).toBe(202);
    expect(await deliver(gitlab, gitLabDelivery(gitlab, "Wiki Page Hook", payload))).toBe(204);
    const takens = ["pulls", "issues", null, null, "pulls", "issues", null];
    expect(seen).toEqual(takens.map((topic) => `taken ${topic}`));
  });

  test("a delivery that comes twice is a hint twice", async () => {
    const { seen, github } = await stage();
    const one = gitHubDelivery(github, "check_suite", {});
    expect([await deliver(github, one), await deliver(github, one)]).toEqual([202, 202]);
    expect(seen).toEqual(["taken pulls", "taken pulls"]);
  });

  test("a form of GitHub's is signed as it is sent", async () => {
    const { github } = await stage();
    const { headers } = gitHubDelivery(github, "push", {});
    const { createHmac } = await import("node:crypto");
    const body = `payload=${encodeURIComponent('{"ref":"refs/heads/main"}')}`;
    const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
    const type = "application/x-www-form-urlencoded";
    expect(
      await deliver(github, changed({ headers, body }, { "content-type": type, "x-hub-signature-256": signature })),
    ).toBe(202);
  });

  const other = (hook: Hook): Hook => ({ ...hook, secret: "another secret" });
  test.each<readonly [string, (hook: Hook) => Delivery]>([
    ["another secret", (hook) => gitHubDelivery(other(hook), "push", {})],
    ["another body", (hook) => changed(gitHubDelivery(hook, "push", {}), {}, '{"a":1}')],
    ["half a signature", (hook) => changed(gitHubDelivery(hook, "push", {}), { "x-hub-signature-256": "sha256=abcd" })],
    ["no signature", ({ secret }) => changed(gitLabDelivery({ url: "", secret }, "Push Hook", {}), {})],
  ])("GitHub's with %s are refused, whatever else they say", async (_, make) => {
    const { seen, github } = await stage();
    expect(await deliver(github, make(github))).toBe(401);
    expect(seen).toEqual(["refused github"]);
  });

  const MINUTE = 60_000;
  test.each<readonly [string, (hook: Hook, now: number) => Delivery, number]>([
    ["of four minutes ago", (hook, now) => gitLabDelivery(hook, "Push Hook", {}, now - 4 * MINUTE), 202],
    ["of six minutes ago", (hook, now) => gitLabDelivery(hook, "Push Hook", {}, now - 6 * MINUTE), 401],
    ["of six minutes from now", (hook, now) => gitLabDelivery(hook, "Push Hook", {}, now + 6 * MINUTE), 401],
    [
      "whose time was made newer",
      (hook, now) =>
        changed(gitLabDelivery(hook, "Push Hook", {}, now - 6 * MINUTE), { "webhook-timestamp": `${now / 1_000}` }),
      401,
    ],
    ["with another id", (hook, now) => changed(gitLabDelivery(hook, "Push Hook", {}, now), { "webhook-id": "x" }), 401],
    [
      "with a second signature, while the token is changed",
      (hook, now) => {
        const one = gitLabDelivery(hook, "Push Hook", {}, now);
        return changed(one, { "webhook-signature": `v1,AAAA ${one.headers["webhook-signature"]}` });
      },
      202,
    ],
    [
      "whose token is said as it is",
      (hook) => changed(gitLabDelivery({ ...hook, secret: "x" }, "Push Hook", {}), { "x-gitlab-token": hook.secret }),
      401,
    ],
  ])("GitLab's signed ones %s", async (_, make, status) => {
    const now = 1_764_000_000_000;
    const { gitlab } = await stage({ now: () => now });
    expect(await deliver(gitlab, make(gitlab, now))).toBe(status);
  });

  test("GitLab's secret token is compared as a whole", async () => {
    const { receiver } = await stage({ provers: { gitlab: gitLabProver(SECRET) } });
    const url = `${receiver.url}/gitlab`;
    const tries = [SECRET, SECRET.slice(1), `${SECRET}x`, ""];
    const said = tries.map((secret) => deliver({ url }, gitLabDelivery({ url, secret }, "Push Hook", {})));
    expect(await Promise.all(said)).toEqual([202, 401, 401, 401]);
  });

  test("what is no delivery is answered as such: another place, another method, another kind of body", async () => {
    const { seen, receiver, github } = await stage({ provers: { github: gitHubProver(SECRET) } });
    const one = gitHubDelivery(github, "push", {});
    const at = async (path: string) => await deliver({ url: `${receiver.url}${path}` }, one);
    expect([await at("/"), await at("/gitlab"), await at("/github/x"), await at("/github?x=1")]).toEqual([
      404, 404, 404, 202,
    ]);
    expect((await fetch(github.url)).status).toBe(405);
    expect(await deliver(github, changed(one, { "content-type": "text/plain" }))).toBe(415);
    expect(seen).toEqual(["taken pulls"]);
  });

  test("too much of a body is not taken, said before or found on the way", async () => {
    const { seen, receiver, github } = await stage({ bounds: { bytes: 1_000 } });
    const big = gitHubDelivery(github, "push", { text: "x".repeat(2_000) });
    const status = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(receiver.url).port), "127.0.0.1");
      const headers = Object.entries({ ...big.headers, "transfer-encoding": "chunked", host: "x" });
      socket.write(
        `POST /github HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`,
      );
      socket.write(`${big.body.length.toString(16)}\r\n${big.body}\r\n`);
      socket.once("data", (data) => resolve(data.toString().split("\r\n")[0]!));
    });
    expect(status).toBe("HTTP/1.1 413 Payload Too Large");
    expect(await deliver(github, big)).toBe(413);
    expect(seen).toEqual([]);
  });

  test("whoever sends a byte now and then is cut off, and others are heard meanwhile", async () => {
    const { receiver, github } = await stage({ bounds: { headersMs: 50, requestMs: 100 } });
    const slow = [1, 2, 3].map(() => connect(Number(new URL(receiver.url).port), "127.0.0.1"));
    slow[0]!.write("POST /github HTTP/1.1\r\nhost: x\r\n");
    slow[1]!.write("POST /github HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n");
    slow[1]!.write(`x-hub-signature-256: sha256=${"0".repeat(64)}\r\n\r\n{`);
    expect(await deliver(github, gitHubDelivery(github, "push", {}))).toBe(202);
    for (const socket of slow.slice(0, 2)) await once(socket.resume(), "close");
    slow[2]!.destroy();
  });

  test("a port that another program has is an error that names it", async () => {
    const { receiver } = await stage();
    const port = Number(new URL(receiver.url).port);
    const second = openReceiver({ host: "127.0.0.1", port, provers: {}, taken: () => {}, refused: () => {} });
    await expect(second).rejects.toMatchObject({
      code: "WEBHOOK_LISTEN",
      message: `webhooks cannot be received at 127.0.0.1:${port}: another program listens there`,
    });
  });
});
