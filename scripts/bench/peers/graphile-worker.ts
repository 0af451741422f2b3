import { load } from "./load.ts";
import { type Peer, PHASES } from "./peer.ts";

interface Payload {
  readonly task: number;
  readonly step: number;
}
interface Adder {
  addJob(identifier: string, payload: Payload): Promise<unknown>;
}
interface Graphile {
  readonly Logger: new (make: () => () => void) => object;
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    addJobs(jobs: readonly { identifier: string; payload: Payload }[]): Promise<unknown>;
    release(): Promise<void>;
  }>;
  run(options: object): Promise<{
    readonly events: { on(event: "job:complete", listener: () => void): void };
    stop(): Promise<void>;
  }>;
}

/** As its page on performance sets it, with our number of jobs at once. */
const SETTINGS = { maxPoolSize: 25, localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };

export const graphileWorker: Peer = {
  name: "graphile-worker",
  packages: ["graphile-worker@0.17.3"],
  settings: `concurrentJobs 16; ${JSON.stringify(SETTINGS)} (its page on performance); addJobs; each job adds the next step's`,
  server: "postgres",
  async run({ tasks, inFlight, ledger, ground, ended }) {
    const { makeWorkerUtils, run, Logger } = load<Graphile>(ground.packages, "graphile-worker");
    const connectionString = ground.server!.address;
    const logger = new Logger(() => () => {});
    const utils = await makeWorkerUtils({ connectionString, logger });
    await utils.migrate();
    await utils.addJobs(
      Array.from({ length: tasks }, (_, i) => ({ identifier: "step", payload: { task: i + 1, step: 1 } })),
    );
    let over = 0;
    const step = async ({ task, step }: Payload, { addJob }: Adder): Promise<void> => {
      ledger.write(task, step);
      if (step < PHASES) await addJob("step", { task, step: step + 1 });
      else over++;
    };
    const preset = { worker: { connectionString, concurrentJobs: inFlight, ...SETTINGS } };
    const runner = await run({ preset, logger, noHandleSignals: true, taskList: { step } });
    await new Promise<void>((done) =>
      runner.events.on("job:complete", () => {
        if (over === tasks) done();
      }),
    );
    ended();
    await runner.stop();
    await utils.release();
  },
};
