import { expect, test } from "vitest";
import { htmlText } from "./html-text.ts";

const of = (html: string): string => htmlText(html, "https://x.org/a/b.html").text;

test("what people read stays: headings, paragraphs, lists, tables, links, code", () => {
  const html = `<html><head><title> One
    page </title><style>p{}</style><script>alert("<p>no</p>")</script></head><body>
    <header><a href="/">Home</a></header><nav><ul><li>Menu</li></ul></nav>
    <h1>Ports &amp; more</h1><p>First   <b>bold</b>
    text, see <a href="../c.html#d">this</a> and <a href="#x">that</a>.<br>New line</p>
    <ul><li>one</li><li><p>two</p></li></ul>
    <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
    <pre><code>if (a &lt; b) {
  go();
}</code></pre><p>Use <code>x</code>.</p>
    <form><input value="no"><button>Send</button></form><footer>imprint</footer></body></html>`;
  expect(htmlText(html, "https://x.org/a/b.html")).toEqual({
    title: "One page",
    text: [
      "# Ports & more",
      "",
      "First bold text, see [this](https://x.org/c.html#d) and that.",
      "New line",
      "- one",
      "- two",
      " | a | b",
      " | 1 | 2",
      "",
      "```",
      "if (a < b) {",
      "  go();",
      "}",
      "```",
      "",
      "Use `x`.",
    ].join("\n"),
  });
});

test("a main part is the page, where it is long enough; an article's header is kept", () => {
  const long = "word ".repeat(60).trim();
  expect(
    of(`<div>Cookies!</div><main><article><header><h1>T</h1></header><p>${long}</p></article></main><p>Ads</p>`),
  ).toBe(`# T\n\n${long}`);
  expect(of("<div>Outside</div><main><p>short</p></main>")).toBe("Outside\n\nshort");
});

test("hidden parts, links without words and addresses of scripts are left out", () => {
  expect(of('<p hidden>a</p><p aria-hidden="true">b</p><div role="navigation">c</div><p>d</p>')).toBe("d");
  expect(of('<p>x<a href="https://y.org"><img src="z"></a> <a href="javascript:go()">word</a></p>')).toBe("x word");
});

test.each([
  ["nothing is closed", "<main><p>a<ul><li>b<li>c", "a\n- b\n- c"],
  ["closed and never opened", "</div></main>a</p>", "a"],
  ["no HTML", "just a text < 3", "just a text < 3"],
  ["empty", "", ""],
])("broken pages are read all the same: %s", (_, html, text) => {
  expect(of(html)).toBe(text);
});

test.each([
  ["blocks", "<p>a"],
  ["links", '<a href="b">'],
  ["brackets", "[]("],
  ["spaces in pre", "<pre>          x"],
  ["deep", "<div>"],
])(
  "two megabytes of %s take no time that grows with what was read",
  (_, part) => {
    const html = part.repeat(Math.floor((2 * 2 ** 20) / part.length));
    const from = performance.now();
    htmlText(html, "https://x.org/");
    expect(performance.now() - from).toBeLessThan(20_000);
  },
  60_000,
);
