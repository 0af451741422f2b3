import { filesContract } from "../../../test/contracts/files.contract.ts";
import { systemFiles } from "./files.ts";

filesContract("this machine", systemFiles());
