import { driveLeg } from "../../src/app/cli/drive-leg.ts";

// `drive command LEGFOLDER`: the driver alone, without the command line around it
process.exit(await driveLeg(process.argv.slice(3)));
