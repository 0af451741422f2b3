import { cpuMsOf } from "./cpu.ts";
import type { Ground } from "./peer.ts";

/** From the first step that counts until the end of the last task is durable. */
export interface Ran {
  readonly seconds: number;
  /** of the process that runs the engine */
  readonly cpuMs: number;
  /** of its server; 0: it has none */
  readonly serverMs: number;
}

export function startWatch({ server }: Ground): () => Ran {
  const serverAt = server ? cpuMsOf(server.pid) : 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  return () => {
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    return { seconds, cpuMs: (user + system) / 1_000, serverMs: server ? cpuMsOf(server.pid) - serverAt : 0 };
  };
}
