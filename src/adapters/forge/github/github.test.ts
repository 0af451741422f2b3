import { forgeContract } from "../../../../test/contracts/forge.contract.ts";
import { gitHubWorld } from "../../../../test/support/github-forge.ts";

forgeContract("GitHub, over HTTP against a server of our own", () => gitHubWorld(), { candidates: true });
