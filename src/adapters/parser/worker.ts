// The program of a thread that parses: pool.ts starts as many as are worth it, and ends one that hangs.
import { workerData } from "node:worker_threads";
import { type Before, serve } from "./serve.ts";

const { before } = workerData as { before?: string };
serve(before === undefined ? undefined : ((await import(before)) as { default: Before }).default);
