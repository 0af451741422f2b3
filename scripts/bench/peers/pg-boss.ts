import { load } from "./load.ts";
import { type Peer, PHASES, type Work } from "./peer.ts";

interface Data {
  readonly task: number;
  readonly step: number;
}
interface Boss {
  on(event: "error", listener: (error: Error) => void): void;
  start(): Promise<void>;
  createQueue(name: string): Promise<void>;
  insert(jobs: readonly object[]): Promise<void>;
  work(name: string, options: object, work: (jobs: readonly { data: Data }[]) => Promise<void>): Promise<string>;
  notifyWorker(id: string): void;
  stop(options: object): Promise<void>;
}

const QUEUE = "steps";
const jobOf = (data: Data) => ({ name: QUEUE, data, ...(data.step > 1 ? { priority: 1 } : {}) });

async function run({ tasks, ledger, ground, inFlight, ended }: Work, batch: number): Promise<void> {
  const PgBoss = load<new (options: object) => Boss>(ground.packages, "pg-boss");
  const boss = new PgBoss({ connectionString: ground.server!.address, max: 20, supervise: false, schedule: false });
  boss.on("error", (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(QUEUE);
  await boss.insert(Array.from({ length: tasks }, (_, i) => jobOf({ task: i + 1, step: 1 })));
  await new Promise<void>((done) => {
    let over = 0;
    const work = async (jobs: readonly { data: Data }[]): Promise<void> => {
      for (const { data } of jobs) ledger.write(data.task, data.step);
      const next = jobs
        .filter(({ data }) => data.step < PHASES)
        .map(({ data }) => jobOf({ ...data, step: data.step + 1 }));
      if (next.length > 0) await boss.insert(next);
      over += jobs.length - next.length;
      // without its completion, which is in no event: one write of thousands
      if (over === tasks) done();
    };
    for (let i = 0; i < inFlight / batch; i++) void addWorker(boss, batch, work);
  });
  ended();
  await boss.stop({ graceful: true, wait: true });
}

/** One that looks for more at once: at rest it waits half a second, the least that it can be told. */
async function addWorker(boss: Boss, batchSize: number, work: (jobs: readonly { data: Data }[]) => Promise<void>) {
  let id = "";
  id = await boss.work(QUEUE, { batchSize, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    boss.notifyWorker(id);
    await work(jobs);
  });
}

const SETTINGS = "insert of many at once; notifyWorker from each handler; supervise and schedule off; pool of 20";

export const pgBoss: Peer = {
  name: "pg-boss",
  packages: ["pg-boss@10.4.2"],
  settings: `16 workers with batchSize 1: each step is finished when it is done; ${SETTINGS}`,
  server: "postgres",
  run: (work) => run(work, 1),
};

export const pgBossBatches: Peer = {
  name: "pg-boss, in batches",
  packages: ["pg-boss@10.4.2"],
  settings: `1 worker with batchSize 16: sixteen steps are taken, done and finished together; ${SETTINGS}`,
  server: "postgres",
  run: (work) => run(work, work.inFlight),
};
