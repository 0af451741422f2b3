// A thread that lists one folder whole and ends: of a hundred thousand files that takes as long as all else that a start does.
import { parentPort, workerData } from "node:worker_threads";
import { listing } from "./listing.ts";

const steps = listing(workerData as string);
let step = steps.next();
while (!step.done) step = steps.next();
parentPort!.postMessage(step.value, [step.value.stamps.buffer]);
