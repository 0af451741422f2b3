import type { Instant } from "../../domain/names.ts";
import type { Ending } from "../../engine/parts.ts";
import type { Processor } from "../compose.ts";
import type { Context } from "./context.ts";
import { EXIT } from "./exit-code.ts";
import { inkFor } from "./look/ink.ts";
import { ownLiveScene } from "./look/part-scene.ts";
import { sceneOver, sightsOf } from "./look/scene.ts";
import { inWords, type StopOrder } from "./stop-signals.ts";
import { endJson, endLines, goingOnLines } from "./views/end.ts";
import type { Scene } from "./views/scene.ts";
import { waitsForYou, whyOf } from "./views/why.ts";

/** How a run ended, and what ended it from outside, if anything did. */
export interface Ended {
  readonly ending: Ending;
  readonly by: StopOrder | null;
}

/** What is said when a run ends, and its exit code: failed goes before waiting for a person (ux.md 11). */
export async function endReport(ctx: Context, processor: Processor, { ending, by }: Ended): Promise<number> {
  // the tasks that go on are all that is told then: of a large backlog the others would take seconds
  const isBrief = ending.kind !== "ended" && !ctx.flags.json;
  const scene = await sceneAt(processor, { isBrief });
  const since = Math.floor(performance.timeOrigin) as Instant;
  if (ctx.flags.json) ctx.out(JSON.stringify(endJson(scene, { ending: ending.kind, since })));
  else if (ending.kind === "ended") ctx.out(endLines(scene, since, inkFor(ctx)).join("\n"));
  else ctx.say(goingOnLines(scene, stopperOf({ ending, by })).join("\n"));
  return codeOf(ending, scene);
}

const stopperOf = ({ ending, by }: Ended): string =>
  ending.kind === "stopped" ? ` by ${ending.by}` : by === null || by === "SIGINT" ? "" : ` by ${inWords(by)}`;

/** The terminal tasks are no longer in memory: they are read from the store. */
async function sceneAt({ settings }: Processor, { isBrief }: { readonly isBrief: boolean }): Promise<Scene> {
  const { openReader } = await import("../../adapters/store/index.ts");
  const reader = await openReader(settings.store);
  try {
    if (isBrief) return await ownLiveScene(reader, settings.state);
    const scene = await sceneOver(reader, { holder: null });
    return { ...scene, sights: sightsOf(scene.tasks, settings.state) };
  } finally {
    await reader.close();
  }
}

/** `waits` says that somebody has to answer: not that workers are at work after --once, nor that there are drafts. */
export function codeOf({ kind }: Ending, scene: Scene): number {
  if (kind !== "ended") return kind === "interrupted" ? EXIT.interrupted : EXIT.done;
  if (scene.tasks.some(({ status }) => status === "failed")) return EXIT.no;
  return scene.tasks.some((task) => waitsForYou(whyOf(task, scene))) ? EXIT.waits : EXIT.done;
}
