// Makes docs/demo.svg from a real run of the demo: `npx tsx scripts/picture.ts`. It needs tmux, which is the terminal.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const COLUMNS = 100;
const ROWS = 36;
/** The second processor has adopted a worker, and two are at work. */
const MOMENT = /SIGKILL[\s\S]*adopted[\s\S]*epoch 2[\s\S]*█[░█]* +\d+ %[\s\S]*█[░█]* +\d+ %/;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-picture-"));
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-u", "-L", `pawl-picture-${process.pid}`, ...args], { encoding: "utf8" });
  const pane = (...flags: string[]): string => tmux("capture-pane", "-p", ...flags, "-t", "demo");
  const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
  const command = `cd ${folder} && LANG=C.UTF-8 ${process.execPath} ${resolve("dist/demo.mjs")}; touch ended; sleep 60`;
  tmux("-f", "/dev/null", "new-session", "-d", ...size, "-s", "demo", command);
  try {
    await until("the demo looks as it should", () => MOMENT.test(pane()));
    writeFileSync("docs/demo.svg", svgOf(pane("-e")));
  } finally {
    tmux("send-keys", "-t", "demo", "C-c");
    await until("the demo has ended", () => existsSync(join(folder, "ended")));
    tmux("kill-server");
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function until(what: string, look: () => boolean): Promise<void> {
  const end = Date.now() + 180_000;
  while (!look()) {
    if (Date.now() > end) throw new Error(`waited 180 s for this: ${what}`);
    await pause(100);
  }
}

interface Style {
  readonly colour: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
}

const PLAIN: Style = { colour: null, bold: false, dim: false };
const COLOURS = ["#30363d", "#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea", "#c9d1d9"];
const CELL = { width: 8.4, height: 18, size: 14, margin: 16 };

/** Text with SGR colours (16 of them, bold, dim) as a picture that needs no font of its own: each run has its width. */
export function svgOf(text: string): string {
  const lines = text.replace(/\s+$/, "").split("\n");
  const width = COLUMNS * CELL.width + 2 * CELL.margin;
  const height = lines.length * CELL.height + 2 * CELL.margin;
  let style = PLAIN;
  const rows = lines.map((line, row) => {
    const drawn = runsOf(line, style);
    style = drawn.after;
    return drawn.runs.map((run) => textOf(run, row)).join("\n");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${CELL.size}" fill="#c9d1d9">`,
    ...rows.filter((row) => row !== ""),
    "</g></svg>\n",
  ].join("\n");
}

interface Run {
  readonly text: string;
  readonly column: number;
  readonly style: Style;
}

function runsOf(line: string, before: Style): { runs: readonly Run[]; after: Style } {
  const runs: Run[] = [];
  let style = before;
  let column = 0;
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    const codes = /^\u001b\[([0-9;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) style = codes.split(";").reduce((now, code) => styled(now, Number(code)), style);
    else {
      // Spaces between words move what follows: each word stands where its column is.
      for (const word of part.matchAll(/\S+(?: \S+)*/g))
        runs.push({ text: word[0], column: column + [...part.slice(0, word.index)].length, style });
      column += [...part].length;
    }
  }
  return { runs, after: style };
}

function styled(now: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...now, bold: true };
  if (code === 2) return { ...now, dim: true };
  if (code === 22) return { ...now, bold: false, dim: false };
  if (code === 39) return { ...now, colour: null };
  const colour = COLOURS[code >= 90 ? code - 90 : code - 30];
  return colour === undefined ? now : { ...now, colour };
}

function textOf({ text, column, style }: Run, row: number): string {
  const x = (CELL.margin + column * CELL.width).toFixed(1);
  const y = CELL.margin + (row + 1) * CELL.height - 5;
  const width = ([...text].length * CELL.width).toFixed(1);
  const fill = style.colour === null ? "" : ` fill="${style.colour}"`;
  const weight = style.bold ? ` font-weight="bold"` : "";
  const dim = style.dim ? ` opacity="0.6"` : "";
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<text x="${x}" y="${y}" textLength="${width}"${fill}${weight}${dim}>${safe}</text>`;
}

if (process.argv[1]?.endsWith("picture.ts")) await main();
