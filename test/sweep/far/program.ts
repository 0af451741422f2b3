import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ASKED, FAR_END } from "./files.ts";
import { type FarKind, startFar } from "./forge.ts";
import { createGate, type HttpTrigger } from "./gate.ts";
import { createLedger } from "./ledger.ts";
import { startPeople } from "./people.ts";

/** What the sweep hands over as the only argument, as JSON. */
export interface FarOrder {
  readonly kind: FarKind;
  /** of the trial: holds origin.git/ and what is noted */
  readonly folder: string;
  /** the branch at whose merge a person is faster by one push */
  readonly raced: string | null;
  readonly at: readonly HttpTrigger[];
}
// A forge with its people, in a process of its own: whoever is killed, it stays. It ends when its input does.
const { kind, folder, raced, at } = JSON.parse(process.argv[2] ?? "") as FarOrder;
let isRaced = raced === null;
const gate = createGate({
  folder,
  at,
  asked: (line) => appendFileSync(join(folder, ASKED), `${line}\n`),
  doing({ method, path }) {
    const [, number] = /\/(?:pulls|merge_requests)\/(\d+)\/merge$/.exec(path) ?? [];
    if (isRaced || method !== "PUT" || number === undefined) return;
    if (forge.pulls().find((pull) => pull.number === Number(number))?.branch !== raced) return;
    isRaced = true;
    forge.push("main");
  },
  done: () => ledger.look(),
});
const forge = await startFar(kind, join(folder, "origin.git"), gate.watch);
const ledger = createLedger(forge.pulls);
startPeople(forge);
process.stdin.resume().on("end", () => {
  void gate.close().then(() => {
    writeFileSync(join(folder, FAR_END), JSON.stringify(ledger.end()));
    process.exit(0);
  });
});
console.log(forge.baseUrl);
