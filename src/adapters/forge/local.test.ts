import { forgeContract } from "../../../test/contracts/forge.contract.ts";
import { localWorld } from "../../../test/support/local-forge.ts";

forgeContract("local, with a bare origin", async () => localWorld({ origin: true }));
forgeContract("local, the repository itself, base trunk", async () => localWorld({ origin: false, base: "trunk" }), {
  candidates: true,
  answers: true,
});
