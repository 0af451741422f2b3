import { configDefaults, defineConfig } from "vitest/config";

/**
 * Folders whose tests start few processes or none: their files share one process and its loaded modules. All others have
 * a process each: a fork is the dearer the more memory there is in who forks.
 */
const FEW_PROCESSES = [
  "src/{domain,protocol,engine,tactics,device}/**",
  "src/workspace/{commands,edit,index,relevance,results,search,skills,toolbox}/**",
  "src/adapters/{channels,models,parser,record-cache,signals,tools}/**",
  "src/app/{config,demo,gates}/**",
  "src/app/cli/{live,look,views}/**",
].map((folder) => `${folder}/*.test.ts`);
const ALL = ["src/**/*.test.ts", "test/**/*.test.ts"];

export default defineConfig({
  test: {
    reporters: ["default", "./test/support/room-reporter.ts"],
    globalSetup: ["test/support/build.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "shared", include: FEW_PROCESSES, isolate: false } },
      { extends: true, test: { name: "own", include: ALL, exclude: [...FEW_PROCESSES, ...configDefaults.exclude] } },
    ],
  },
});
