import { forgeContract } from "../../../../test/contracts/forge.contract.ts";
import { gitLabWorld } from "../../../../test/support/gitlab-forge.ts";

forgeContract("GitLab, over HTTP against a server of our own", () => gitLabWorld(), {
  candidates: true,
  answers: true,
});
