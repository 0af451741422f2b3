import { load } from "./load.ts";
import { type Peer, PHASES } from "./peer.ts";

interface Dbos {
  readonly DBOS: {
    setConfig(config: object): void;
    registerWorkflow(work: (task: number) => Promise<void>, options: object): (task: number) => Promise<void>;
    runStep(step: () => Promise<void>, options: object): Promise<void>;
    launch(): Promise<void>;
    shutdown(): Promise<void>;
  };
}

const POOL = 20;

export const dbos: Peer = {
  name: "DBOS",
  packages: ["@dbos-inc/dbos-sdk@5.3.0"],
  settings: `a workflow of four steps a task, 16 called at once; system database pool of ${POOL}; no tracing`,
  server: "postgres",
  async run({ tasks, inFlight, ledger, ground, ended }) {
    const { DBOS } = load<Dbos>(ground.packages, "@dbos-inc/dbos-sdk");
    // a socket, behind an address that its parser takes
    const systemDatabaseUrl = ground.server!.address.replace("@/", "@localhost/");
    DBOS.setConfig({ name: "bench", systemDatabaseUrl, systemDatabasePoolSize: POOL, logLevel: "error" });
    const walk = async (task: number): Promise<void> => {
      for (let step = 1; step <= PHASES; step++)
        await DBOS.runStep(async () => ledger.write(task, step), { name: `step-${step}` });
    };
    const workflow = DBOS.registerWorkflow(walk, { name: "walk" });
    await DBOS.launch();
    let next = 1;
    const oneAfterTheOther = async (): Promise<void> => {
      while (next <= tasks) await workflow(next++);
    };
    await Promise.all(Array.from({ length: inFlight }, oneAfterTheOther));
    ended();
    await DBOS.shutdown();
  },
};
