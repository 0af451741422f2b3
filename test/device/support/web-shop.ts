import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the shop's visitor did, as the page itself says. */
export interface ShopDid {
  readonly taps: number;
  readonly holds: number;
  readonly doubles: number;
  readonly search: string;
  readonly note: string;
  readonly searches: readonly string[];
  /** the first row that shows */
  readonly first: number;
  readonly page: string | null;
}

/** A shop as a page: a search field, a button, a list of 100 goods, a page for each with a field of several lines. */
export async function startWebShop(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const page = PAGES[request.url ?? ""] ?? SHOP;
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const PLAIN = `<!doctype html><meta name=viewport content="width=device-width"><title>plain</title><p>a plain page</p>`;
const BLACK = `<!doctype html><meta name=viewport content="width=device-width"><style>html{background:#000}</style>`;
/** knows no phones: it is laid out 980 wide, and shown smaller */
const WIDE = `<!doctype html><title>wide</title><body style="margin:0">
<button style="position:absolute;left:490px;top:300px;width:200px;height:100px" onclick="document.title='tapped'">wide button</button>`;
/** is another as soon as a finger comes down: a picture behind a tap that waited for nothing shows it */
const PROMPT = `<!doctype html><meta name=viewport content="width=device-width"><style>html{height:100%}</style>
<h1>0</h1><script>let n=0; addEventListener("touchstart", () => { document.querySelector("h1").textContent = ++n; });</script>`;
/** elements that hear taps without a role that says so, one that hears none, and a page that hears all */
const LISTENING = `<!doctype html><meta name=viewport content="width=device-width"><style>html,body{height:100%;margin:0}</style>
<div id=app style="height:100%"><div onclick="0">bare</div><ul><li id=row>row</ul><p>words</p></div>
<script>addEventListener("click", () => {}); document.body.onclick = app.onclick = row.onclick = () => {};</script>`;
const PAGES: Readonly<Record<string, string>> = {
  "/plain": PLAIN,
  "/wide": WIDE,
  "/black": BLACK,
  "/prompt": PROMPT,
  "/listening": LISTENING,
};

const SHOP = `<!doctype html>
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>shop</title>
<style>
  /* nothing that goes on changing behind a tap */
  * { -webkit-tap-highlight-color: transparent; outline: none; }
  button, input, textarea { appearance: none; border: 1px solid #888; background: #fff; color: #000; }
  button { background: #ddd; }
  body { margin: 0; font: 16px sans-serif; }
  #front, #detail { position: fixed; inset: 0; background: white; }
  #search { position: absolute; left: 10px; top: 40px; width: calc(100vw - 110px); height: 50px; box-sizing: border-box; }
  #find { position: absolute; right: 10px; top: 40px; width: 80px; height: 50px; }
  #goods { position: absolute; left: 0; right: 0; top: 120px; bottom: 0; overflow-y: scroll; }
  #goods div { height: 60px; line-height: 60px; padding-left: 10px; box-sizing: border-box; }
  #goods div:nth-child(odd) { background: #e8eaed; }
  #detail { display: none; }
  #note { position: absolute; left: 10px; top: 120px; right: 10px; height: 140px; }
  #name { position: absolute; left: 10px; top: 40px; margin: 0; }
</style>
<div id="front">
  <input id="search" aria-label="Search goods">
  <button id="find">find</button>
  <div id="goods" role="list"></div>
</div>
<div id="detail"><h1 id="name"></h1><textarea id="note" aria-label="Note to the seller"></textarea></div>
<script>
  const NAMES = ["red kettle", "blue kettle", "teapot", "mug", "spoon", "lamp", "chair", "rope", "map", "boat"];
  const goods = Array.from({ length: 100 }, (_, i) => (i < 10 ? NAMES[i] : NAMES[i % 10] + " " + i));
  const at = (id) => document.getElementById(id);
  const did = { taps: 0, holds: 0, doubles: 0, searches: [], page: null };
  window.did = () => ({ ...did, search: at("search").value, note: at("note").value, first: Math.round(at("goods").scrollTop / 60) });
  const fill = () => {
    const wanted = did.searches.at(-1) ?? "";
    at("goods").replaceChildren(...goods.filter((one) => one.includes(wanted)).map((one) => {
      const row = document.createElement("div");
      row.textContent = one;
      row.setAttribute("role", "listitem");
      row.onclick = () => { history.pushState({ page: one }, "", "#" + encodeURIComponent(one)); show(one); };
      return row;
    }));
    at("goods").scrollTop = 0;
  };
  const show = (page) => {
    did.page = page;
    at("detail").style.display = page ? "block" : "none";
    at("front").style.display = page ? "none" : "block";
    at("name").textContent = page ?? "";
  };
  const find = () => { did.searches.push(at("search").value); fill(); };
  at("find").onclick = () => { did.taps++; at("find").textContent = "find " + did.taps; find(); };
  at("find").oncontextmenu = (event) => { event.preventDefault(); did.holds++; };
  at("find").ondblclick = () => { did.doubles++; };
  at("search").onkeydown = (event) => { if (event.key === "Enter") find(); };
  onpopstate = (event) => show(event.state?.page ?? null);
  fill();
  show(history.state?.page ?? null);
</script>`;
