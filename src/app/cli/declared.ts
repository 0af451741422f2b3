import { DECIDE } from "./declared/decide.ts";
import type { Declared } from "./declared/declared.ts";
import { DEVICE } from "./declared/device.ts";
import { HANDS } from "./declared/hands.ts";
import { LOOK } from "./declared/look.ts";
import { RUN } from "./declared/run.ts";
import { START } from "./declared/start.ts";
import { STORE } from "./declared/store.ts";
import { WORKER } from "./declared/worker.ts";

export type { Declared } from "./declared/declared.ts";

/** Every command, in the order of the help. */
export const DECLARED: readonly Declared[] = [
  ...START,
  ...RUN,
  ...LOOK,
  ...DECIDE,
  ...HANDS,
  ...DEVICE,
  ...WORKER,
  ...STORE,
];
