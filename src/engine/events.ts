import type { Fact } from "../domain/fact.ts";
import type { ProbeEvent } from "../ports/probe.ts";

/** What the probe is told of a fact, once it is durable; null: nothing. */
export function eventOf(fact: Fact): ProbeEvent | null {
  switch (fact.kind) {
    case "worker-crashed":
      return {
        event: "worker_crash_detected",
        task_id: fact.task,
        role: fact.role,
        branch: fact.branch,
        leg: fact.leg,
        detail: fact.detail,
      };
    case "worker-spawned":
      return { event: "worker_spawned", task_id: fact.task, leg: fact.leg, purpose: fact.purpose };
    case "phase-entered":
      return { event: "phase_entered", task_id: fact.task, phase: fact.phase, round: fact.round, cause: fact.cause };
    case "task-completed":
      return { event: "task_completed", task_id: fact.task, evidence: fact.evidence };
    case "task-failed":
      return { event: "task_failed", task_id: fact.task, reason: fact.why };
    case "deadlock-found":
      return { event: "deadlock_detected", chain: fact.chain.join(" -> ") };
    case "input-ignored":
      return { event: "input_ignored", task_id: fact.task, reason: fact.why };
    default:
      return null;
  }
}
