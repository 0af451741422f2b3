/** One pawl.yaml for every forge beyond this machine: what differs is the line `forge:`, which the project adds. */
export const FORGE_MAP = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: await-review, on_fail: implement}
    await-review: {run: signal pr-approved, on_pass: mark-ready, on_fail: implement}
    mark-ready: {run: action mark-ready, on_pass: ship, on_fail: mark-ready}
    ship: {run: signal label:ship-it, on_pass: merge, on_fail: implement}
    merge: {run: action merge, on_pass: done, on_fail: implement}
signals: {pr-approved: {approvals: 1, from: [lead]}}
`;
