import { CONTRACT_ENV, commandsContract } from "../../../test/contracts/commands.contract.ts";
import { searcherContract } from "../../../test/contracts/searcher.contract.ts";
import { systemClock } from "./clock.ts";
import { systemCommands } from "./command.ts";
import { systemProcesses } from "./processes.ts";
import { ripgrep } from "./ripgrep.ts";

const processes = systemProcesses();
const parts = { processes, clock: systemClock(), env: CONTRACT_ENV, names: ["PATH"] };
commandsContract("this machine", systemCommands(parts), processes);
searcherContract("ripgrep", ripgrep());
