import { agentContract } from "../contracts/agent.contract.ts";
import { acpSubject } from "./support/acp-subject.ts";
import { commandSubject } from "./support/command-subject.ts";
import { nativeSubject } from "./support/native-subject.ts";

agentContract("a command", commandSubject);
agentContract("one that speaks ACP", acpSubject);
agentContract("the built-in worker", nativeSubject);
