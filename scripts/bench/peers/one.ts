// One run of one side, in a process of its own: {peer, tasks, inFlight, ground} as JSON in, what it came to as JSON out.
import { join } from "node:path";
import { SIDES } from "./all.ts";
import { faultOf, openLedger } from "./ledger.ts";
import { type Ground, PHASES } from "./peer.ts";

export interface Wanted {
  readonly peer: string;
  readonly tasks: number;
  readonly inFlight: number;
  readonly ground: Ground;
}

const { peer, tasks, inFlight, ground } = JSON.parse(process.argv[2]!) as Wanted;
const path = join(ground.folder, "ledger");
const ledger = openLedger(path);
const ran = await SIDES.find(({ name }) => name === peer)!.run({ tasks, inFlight, ledger, ground });
ledger.close();
const fault = faultOf(path, tasks, PHASES);
if (fault !== null) throw new Error(`${peer}: ${fault}`);
process.stdout.write(`\n${JSON.stringify(ran)}\n`, () => process.exit());
