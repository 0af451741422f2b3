import { load } from "./load.ts";
import { type Peer, PHASES, type Work } from "./peer.ts";

interface Data {
  readonly task: number;
  readonly step: number;
}
interface Job {
  readonly data: Data;
  updateData(data: Data): Promise<void>;
}
interface Queue {
  add(name: string, data: Data, options: object): Promise<unknown>;
  addBulk(jobs: readonly { name: string; data: Data; opts: object }[]): Promise<unknown>;
  close(): Promise<void>;
}
interface Worker {
  on(event: "completed", listener: (job: Job) => void): void;
  run(): Promise<void>;
  close(): Promise<void>;
}
interface BullMQ {
  readonly Queue: new (name: string, options: object) => Queue;
  readonly Worker: new (name: string, work: (job: Job) => Promise<void>, options: object) => Worker;
}

const PACKAGES = ["bullmq@6.7.0", "ioredis@6.0.0"];
const OPTIONS = { removeOnComplete: true };

async function run(work: Work, step: (job: Job, queue: Queue) => Promise<void>): Promise<void> {
  const { tasks, inFlight, ground } = work;
  const { Queue, Worker } = load<BullMQ>(ground.packages, "bullmq");
  const connection = { path: ground.server!.address, maxRetriesPerRequest: null };
  const queue = new Queue("steps", { connection });
  const jobs = Array.from({ length: tasks }, (_, i) => ({
    name: "step",
    data: { task: i + 1, step: 1 },
    opts: OPTIONS,
  }));
  await queue.addBulk(jobs);
  const worker = new Worker("steps", (job) => step(job, queue), { connection, concurrency: inFlight, autorun: false });
  await new Promise<void>((done) => {
    let ended = 0;
    worker.on("completed", ({ data }) => {
      if (data.step === PHASES && ++ended === tasks) done();
    });
    void worker.run();
  });
  work.ended();
  await worker.close();
  await queue.close();
}

const REDIS = "Redis: appendonly yes, appendfsync always, no snapshots";

export const bullmqJobs: Peer = {
  name: "BullMQ, a job a step",
  packages: PACKAGES,
  settings: `addBulk; concurrency 16; removeOnComplete; each job adds the next step's (lifo); ${REDIS}`,
  server: "redis",
  run: (work) =>
    run(work, async ({ data: { task, step } }, queue) => {
      work.ledger.write(task, step);
      if (step < PHASES) await queue.add("step", { task, step: step + 1 }, { ...OPTIONS, lifo: true });
    }),
};

export const bullmqSteps: Peer = {
  name: "BullMQ, four steps in a job",
  packages: PACKAGES,
  settings: `addBulk; concurrency 16; removeOnComplete; updateData after each step (its pattern "process step jobs"); ${REDIS}`,
  server: "redis",
  run: (work) =>
    run(work, async (job) => {
      for (let { task, step } = job.data; ; step++) {
        work.ledger.write(task, step);
        if (step === PHASES) return;
        await job.updateData({ task, step: step + 1 });
      }
    }),
};
