/** The five that a worker needs before any work (agent-runner.md, step 0), and how each is known to be there. */
const REQUIRED: Readonly<Record<string, (value: unknown) => boolean>> = {
  task_id: isText,
  acceptance_criteria: (value) => Array.isArray(value) && value.length > 0 && value.every(isCriterion),
  test_delta: isTestDelta,
  authorized_files: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  timeout_minutes: (value) => typeof value === "number" && value > 0 && Number.isFinite(value),
};
/** A device has no files and no tests to name. */
const NOT_FOR_DEVICES: ReadonlySet<string> = new Set(["test_delta", "authorized_files"]);

/** Names of the required fields that are missing, empty or of another form, in the specification's order; none: work may begin. */
export function missingFields(assignment: unknown, on: "repository" | "device" = "repository"): readonly string[] {
  const given = isObject(assignment) ? assignment : {};
  return Object.keys(REQUIRED)
    .filter((field) => on === "repository" || !NOT_FOR_DEVICES.has(field))
    .filter((field) => !REQUIRED[field]!(given[field]));
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isCriterion(value: unknown): boolean {
  return isObject(value) && isText(value.id) && isText(value.text);
}

/** Defined, though it may name nothing: a task can be one that no test has to change for. */
function isTestDelta(value: unknown): boolean {
  return isObject(value) && ["add", "update", "regression"].every((key) => Array.isArray(value[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
