// One run of one side, in a process of its own: {peer, tasks, inFlight, ground} as JSON in, what it came to as JSON out.
import { join } from "node:path";
import { SIDES } from "./all.ts";
import { faultOf, openLedger } from "./ledger.ts";
import { type Ground, PHASES } from "./peer.ts";
import { type Ran, startWatch } from "./watch.ts";

export interface Wanted {
  readonly peer: string;
  readonly tasks: number;
  readonly inFlight: number;
  /** so many steps are not counted: who runs them gets warm */
  readonly warmUp: number;
  readonly ground: Ground;
}

const { peer, tasks, inFlight, warmUp, ground } = JSON.parse(process.argv[2]!) as Wanted;
const path = join(ground.folder, "ledger");
let read = (): Ran => fail("it ended before it was warm");
let ran: Ran | null = null;
const ledger = openLedger(path, warmUp, () => (read = startWatch(ground)));
const ended = () => (ran = read());
await SIDES.find(({ name }) => name === peer)!.run({ tasks, inFlight, ledger, ground, ended });
ledger.close();
const fault = faultOf(path, tasks, PHASES);
if (fault !== null) fail(fault);
process.stdout.write(`\n${JSON.stringify(ran)}\n`, () => process.exit());

function fail(why: string): never {
  throw new Error(`${peer}: ${why}`);
}
