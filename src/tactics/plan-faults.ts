import type { Assignment } from "../protocol/assignment.ts";
import type { Plan } from "../protocol/plan.ts";
import { authorized } from "./authorized.ts";

/** What a plan lacks, or has that may not be, without judging whether it is good; none: it can be followed. */
export function planFaults(plan: Plan, assignment: Assignment): readonly string[] {
  const may = authorized(assignment);
  const criteria = new Set(assignment.acceptance_criteria.map(({ id }) => id));
  const mapped = new Set(plan.ac_mapping.map(({ ac }) => ac));
  const { add, update } = assignment.test_delta;
  const planned = new Set(plan.files.map(({ path }) => path));
  return [
    ...(plan.approach.trim() === "" ? ["approach is empty"] : []),
    ...[...criteria].filter((id) => !mapped.has(id)).map((id) => `${id} has no row in ac_mapping`),
    ...[...mapped].filter((id) => !criteria.has(id)).map((id) => `${id} is no acceptance criterion of this task`),
    ...plan.ac_mapping.flatMap(({ ac, implementation, file, test }) =>
      Object.entries({ implementation, file, test })
        .filter(([, text]) => text.trim() === "")
        .map(([name]) => `${ac} names no ${name}`),
    ),
    ...(plan.files.length === 0 ? ["no files are named"] : []),
    ...[...planned]
      .filter((path) => !may(path))
      .map((path) => `${path} may not be changed (${assignment.authorized_files.join(" ")})`),
    ...[...add, ...update]
      .filter((path) => !planned.has(path))
      .map((path) => `the test delta's ${path} is not among the files`),
  ];
}
