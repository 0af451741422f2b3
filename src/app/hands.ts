import { ripgrep } from "../adapters/system/ripgrep.ts";
import type { Sandbox } from "../ports/commands.ts";
import type { Rules } from "../workspace/commands/rules.ts";
import type { Scope } from "../workspace/edit/locate.ts";
import type { Hands } from "../workspace/hands/hands.ts";
import { makeHands } from "../workspace/hands/make-hands.ts";
import { guardOf } from "./checkout-guard.ts";
import type { OpenCode } from "./code-index.ts";
import { checkoutSandbox, openCommands } from "./commands.ts";
import { findRepo } from "./config/repository.ts";
import { openEditor } from "./editor.ts";

export interface HandsOrder {
  /** in the checkout that is meant */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** the main checkout, where that is known already */
  readonly main?: string;
  /** what may be written */
  readonly scope: Scope;
  readonly rules?: Rules;
  /** off: none */
  readonly sandbox?: Sandbox["mode"] | "off";
  readonly network?: boolean;
  /** default true; false where everything may be written and nothing is rolled back: commands are quicker then */
  readonly isWatched?: boolean;
  /** Pawl made the checkout for its own work, so that its branch may be taken back */
  readonly isOurs?: boolean;
  readonly quarantineDir?: string;
  /** what `written()` of hands that are gone said */
  readonly written?: Iterable<string>;
}

/** Hands on the checkout that a folder is in; what is not used is not loaded. Throws REPO_MISSING, REPO_BARE, GIT_UNWRITABLE, EDIT_ROOT, and faults of pawl.yaml. */
export async function openHands(order: HandsOrder): Promise<Hands> {
  const { folder, env, scope } = order;
  const [guard, main] = await Promise.all([
    guardOf(folder, { isOurs: order.isOurs ?? false, env }),
    order.main ?? findRepo(folder),
  ]);
  let code: Promise<OpenCode> | null = null;
  const openIndex = async (): Promise<OpenCode> => {
    const { openCode } = await import("./code-index.ts");
    return openCode({ root: guard.on.top, main });
  };
  return makeHands({
    shadow: guard.shadow,
    quarantineDir: order.quarantineDir ?? guard.quarantineDir,
    editor: openEditor(guard.on.top, scope),
    commands: openCommands(main, env),
    searcher: ripgrep(),
    code: () => (code ??= openIndex()),
    scope,
    rules: order.rules ?? { allow: null, deny: [] },
    sandbox: await sandboxFor(guard.on.top, order),
    isWatched: order.isWatched ?? true,
    written: order.written ?? [],
    async close() {
      guard.shadow.close();
      await (await code)?.close();
    },
  });
}

/** Who asks for no network wants it held to that. */
async function sandboxFor(cwd: string, { sandbox = "off", network = true, env }: HandsOrder): Promise<Sandbox | null> {
  if (sandbox === "off" && network) return null;
  return checkoutSandbox(cwd, { mode: sandbox === "auto" ? "auto" : "require", network, env });
}
