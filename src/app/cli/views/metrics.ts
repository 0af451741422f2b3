import { Counter, Gauge, Registry } from "prom-client";
import { ENDING_KINDS } from "../../../domain/ending.ts";
import { endingsOf } from "./endings.ts";
import type { Scene } from "./scene.ts";
import { whyOf } from "./why.ts";

const STATUSES = ["not-started", "in-progress", "completed", "failed"] as const;

/** One state of the store in the text format of Prometheus. Counters never go back: they are sums over what is durable. */
export function metricsText(scene: Scene): Promise<string> {
  const registers = [new Registry()];
  const counter = (name: string, help: string, values: Values) =>
    fill(new Counter({ ...shape(name, help, values), registers }), values);
  const gauge = (name: string, help: string, values: Values) =>
    fill(new Gauge({ ...shape(name, help, values), registers }), values);
  const { tasks, world, holder, ticked } = scene;
  const { spent, limits } = world.backlog;
  const ended = endingsOf(tasks);
  gauge(
    "pawl_tasks",
    "tasks by status",
    STATUSES.map((status) => [{ status }, tasks.filter((task) => task.status === status).length]),
  );
  gauge("pawl_tasks_waiting", "tasks that are not at work, by why and by whose move it is", waiting(scene));
  gauge("pawl_workers", "workers at work", [[{}, world.holders("worker").length]]);
  gauge("pawl_workers_limit", "workers that may be at work at once", [[{}, limits.maxWorkers]]);
  counter(
    "pawl_worker_endings_total",
    "workers that ended, by what ended them",
    ENDING_KINDS.map((ending) => [{ ending }, ended[ending] ?? 0]),
  );
  counter("pawl_spawns_total", "workers that were started", [[{}, spent.spawns]]);
  counter("pawl_spent_usd_total", "money that workers reported", [[{}, spent.microUsd / 1e6]]);
  counter("pawl_spent_tokens_total", "tokens that workers reported", [[{}, spent.tokens]]);
  gauge("pawl_processor_up", "1: a processor holds the store", [[{}, holder?.alive ? 1 : 0]]);
  if (ticked !== null) gauge("pawl_last_tick_timestamp_seconds", "when it ticked last", [[{}, ticked / 1_000]]);
  return registers[0]!.metrics();
}

type Values = readonly (readonly [Readonly<Record<string, string>>, number])[];

const shape = (name: string, help: string, values: Values) => ({
  name,
  help,
  labelNames: Object.keys(values[0]?.[0] ?? {}),
});

function fill(metric: Counter | Gauge, values: Values): void {
  for (const [labels, value] of values) metric.inc(labels, value);
}

function waiting(scene: Scene): Values {
  const counts = new Map<string, [Record<string, string>, number]>();
  for (const task of scene.tasks) {
    if (task.status !== "in-progress") continue;
    const { code, owner } = whyOf(task, scene);
    if (code === "running") continue;
    const entry = counts.get(`${code} ${owner}`) ?? [{ code, owner }, 0];
    entry[1] += 1;
    counts.set(`${code} ${owner}`, entry);
  }
  return [...counts.values()];
}
