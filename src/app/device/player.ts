import type { Trajectory } from "../../device/trajectory.ts";

/**
 * A run as one HTML file that plays it, piece by piece: its pictures are in it, and it fetches nothing. `picture` gives the
 * bytes of one as the trajectory names it; a missing one is left white.
 */
export function* playerPage(
  trajectory: Trajectory,
  picture: (named: string) => Uint8Array | null,
): Generator<string, void> {
  const names = [...new Set(trajectory.steps.flatMap((step) => [step.screenshot, step.screenshot_after ?? []].flat()))];
  const numbers = new Map(names.map((name, at) => [name, at]));
  const steps = trajectory.steps.map((step) => ({
    ...step,
    screenshot: numbers.get(step.screenshot),
    screenshot_after: step.screenshot_after === undefined ? undefined : numbers.get(step.screenshot_after),
  }));
  yield HEAD;
  yield `<script type="application/json" id="run">${inScript({ ...trajectory, steps })}</script>\n`;
  for (const [at, name] of names.entries()) {
    const png = picture(name);
    if (png !== null)
      yield `<img hidden id="p${at}" alt="" src="data:image/png;base64,${Buffer.from(png).toString("base64")}">\n`;
  }
  yield BODY;
}

/** JSON that cannot end the script that it stands in. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");

const HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>A device run</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
  body { margin: 0; display: grid; grid-template-columns: minmax(200px, 38vh) 1fr; gap: 24px; padding: 24px; max-width: 1100px; }
  header { grid-column: 1 / -1; }
  h1 { font-size: 20px; margin: 0; }
  #screen { position: relative; border: 1px solid #8888; border-radius: 8px; overflow: hidden; align-self: start; background: #fff; }
  #screen img { display: block; width: 100%; }
  #screen svg { position: absolute; inset: 0; width: 100%; height: 100%; }
  circle { fill: #e5393566; stroke: #e53935; } line { stroke: #e53935; }
  nav { margin: 12px 0; display: flex; gap: 8px; align-items: center; }
  button { font: inherit; padding: 4px 12px; }
  ol { list-style: none; padding: 0; margin: 0; max-height: 60vh; overflow: auto; }
  li button { width: 100%; text-align: left; background: none; border: 0; border-left: 3px solid transparent; color: inherit; }
  li button[aria-current] { border-color: #1a73e8; background: #1a73e822; }
  .bad { color: #c62828; } dt { font-weight: 600; } dd { margin: 0 0 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
`;

const BODY = `<header><h1 id="goal"></h1><div id="facts"></div></header>
<section><div id="screen"><img id="shown" alt="the screen"><svg id="marks"></svg></div>
<nav><button id="back" aria-label="the step before">&larr;</button><button id="play">play</button><button id="next" aria-label="the next step">&rarr;</button><span id="place"></span></nav></section>
<section><dl><dt>thinking</dt><dd id="thinking"></dd><dt>action</dt><dd id="action"></dd><dt>result</dt><dd id="result"></dd><dt>time</dt><dd id="time"></dd></dl><ol id="steps"></ol></section>
<script>
  const run = JSON.parse(document.getElementById("run").textContent);
  const at = (id) => document.getElementById(id);
  const say = (id, text) => { at(id).textContent = text; };
  const svg = (name, of) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(of)) made.setAttribute(key, value);
    return made;
  };
  const words = ({ action, error, ...rest }) => (error ? error : action + " " + Object.values(rest).map((one) => JSON.stringify(one)).join(" "));
  let now = 0, timer = 0;
  say("goal", run.task_goal);
  say("facts", run.status + ": " + run.reason + " · " + run.total_steps + " steps · " + run.duration + " s · " + run.target + " · " + run.agent);
  for (const [index, step] of run.steps.entries()) {
    const row = document.createElement("li"), go = document.createElement("button");
    go.textContent = step.step + "  " + words(step.action);
    if (!["done", "finished"].includes(step.result.outcome)) go.className = "bad";
    go.onclick = () => show(index);
    row.append(go);
    at("steps").append(row);
  }
  function show(index) {
    now = Math.max(0, Math.min(run.steps.length - 1, index));
    const step = run.steps[now];
    if (!step) return;
    const [width, height] = step.size, unit = width / 40, points = step.result.at ?? [];
    at("shown").src = at("p" + step.screenshot)?.src ?? "data:,";
    at("marks").setAttribute("viewBox", "0 0 " + width + " " + height);
    at("marks").replaceChildren(
      ...(points.length === 2 ? [svg("line", { x1: points[0][0], y1: points[0][1], x2: points[1][0], y2: points[1][1], "stroke-width": unit / 2 })] : []),
      ...points.map(([x, y]) => svg("circle", { cx: x, cy: y, r: unit, "stroke-width": unit / 4 })),
    );
    say("thinking", step.thinking || "–");
    say("action", words(step.action));
    say("result", JSON.stringify(step.result, null, 1));
    say("time", step.timestamp + " · " + step.duration + " s");
    say("place", step.step + " of " + run.steps.length);
    document.querySelectorAll("#steps button").forEach((one, i) => (i === now ? one.setAttribute("aria-current", "step") : one.removeAttribute("aria-current")));
  }
  const stop = () => { clearInterval(timer); timer = 0; say("play", "play"); };
  at("play").onclick = () => {
    if (timer) return stop();
    if (now >= run.steps.length - 1) show(0);
    say("play", "pause");
    timer = setInterval(() => (now >= run.steps.length - 1 ? stop() : show(now + 1)), 1000);
  };
  at("back").onclick = () => { stop(); show(now - 1); };
  at("next").onclick = () => { stop(); show(now + 1); };
  addEventListener("keydown", ({ key }) => { if (key === "ArrowLeft") at("back").click(); if (key === "ArrowRight") at("next").click(); });
  show(0);
</script>
`;
