/** Who searches the internet for a worker, as pawl.yaml has it. Keys and addresses are named by their variables. */
export type SearchSpec =
  | { readonly provider: "searxng"; readonly urlEnv: string }
  | { readonly provider: "brave" | "tavily"; readonly keyEnv: string };
