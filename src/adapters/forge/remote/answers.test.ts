import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { gitHubHttp } from "../github/api.ts";
import { threadsOf } from "../github/threads.ts";

const { signal } = new AbortController();

/** A server that says what it likes, and what it was asked. */
async function world(
  answer: (url: string, asked: number) => { status?: number; body?: string; link?: string } | "cut",
) {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(request.url!);
    const said = answer(request.url!, asked.length);
    if (said === "cut") return void response.destroy();
    const { status = 200, body = "[1]", link } = said;
    response.writeHead(status, link === undefined ? {} : { link: `<${link}>; rel="next"` }).end(body);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  onTestFinished(() => void stop());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { repo: "a/b", baseUrl, token: { variable: "TOK", read: () => "tok" }, now: Date.now };
  return { asked, baseUrl, options, http: gitHubHttp(options), stop };
}

describe("a list of many pages", () => {
  test("ends with an error at a page that was there already, also at the first one", async () => {
    for (const again of ["/list?page=2", "/list"]) {
      const { http, asked } = await world(() => ({ link: again }));
      await expect(http.list("/list", signal)).rejects.toMatchObject({
        code: "FORGE_UNREACHABLE",
        message: expect.stringMatching(/\/list\S* again, so that it has no end/),
        next: expect.stringContaining("base_url"),
      });
      expect(asked.length).toBeLessThanOrEqual(2);
    }
  });

  test("ends with an error behind a hundred pages, whatever they are called", async () => {
    const { http, asked } = await world((_, count) => ({ link: `/list?cursor=${count}` }));
    await expect(http.list("/list", signal)).rejects.toMatchObject({
      message: expect.stringContaining("behind 100 pages, at "),
    });
    expect(asked).toHaveLength(100);
  });

  test("is read to its end, by addresses that are whole or not", async () => {
    const { http } = await world((url) => (url === "/list" ? { link: "/list?page=2" } : { body: "[2]" }));
    expect(await http.list("/list", signal)).toEqual([1, 2]);
  });

  test("is not cut short by a page that is gone; one that is not there at all is empty", async () => {
    const broken = await world((url) => (url === "/list" ? { link: "/list?page=2" } : { status: 404, body: "{}" }));
    await expect(broken.http.list("/list", signal)).rejects.toMatchObject({ message: /breaks off/ });
    const none = await world(() => ({ status: 404, body: "{}" }));
    expect(await none.http.list("/list", signal)).toEqual([]);
  });

  test("of review threads ends where a page is named twice", async () => {
    const { options, http, asked } = await world((url) => {
      if (url !== "/graphql") return {};
      const pageInfo = { hasNextPage: true, endCursor: "same" };
      const pullRequest = { reviewThreads: { pageInfo, nodes: [] } };
      return { body: JSON.stringify({ data: { repository: { pullRequest } } }) };
    });
    await expect(threadsOf(http, options)(7, "0".repeat(40) as never, signal)).rejects.toMatchObject({
      code: "FORGE_UNREACHABLE",
      message: expect.stringContaining("pull request 7 names one page twice"),
    });
    expect(asked.filter((url) => url === "/graphql")).toHaveLength(2);
  });
});

describe("an answer that is none", () => {
  const HTML = "<!DOCTYPE html><html><head><title>Sign in\n to Proxy</title></head></html>";
  test.each([
    [{ body: HTML }, "FORGE_UNREACHABLE", 'answered 200 to /x: a page of HTML ("Sign in to Proxy")', "base_url"],
    [{ body: "" }, "FORGE_UNREACHABLE", "answered 200 to /x: an empty answer", "base_url"],
    [{ body: "<x/>" }, "FORGE_UNREACHABLE", 'answered 200 to /x: no JSON ("<x/>")', "base_url"],
    [{ status: 500, body: "" }, "FORGE_UNREACHABLE", "answered 500 to /x: an empty answer", "try again in a while"],
    [{ status: 502, body: HTML }, "FORGE_UNREACHABLE", "a page of HTML", "it is GitHub that fails"],
    [{ status: 429, body: "{}" }, "FORGE_LIMITED", "limits requests until", "wait until then"],
    [{ status: 301, body: "{}" }, "FORGE_DENIED", "it was moved", "pawl.yaml"],
    ["cut", "FORGE_UNREACHABLE", "GitHub at http://127.0.0.1", "try again in a while"],
  ] as const)("%j is said, with what to do", async (answer, code, words, next) => {
    const { http } = await world(() => answer);
    await expect(http.get("/x", signal)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
      next: expect.stringContaining(next),
    });
  });

  test("nobody who answers is said with the address to look at", async () => {
    const { http, stop, baseUrl } = await world(() => ({}));
    await stop();
    await expect(http.get("/x", signal)).rejects.toMatchObject({ next: expect.stringContaining(baseUrl) });
  });
});
