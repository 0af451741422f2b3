import type { App } from "./app.ts";
import type { Phone } from "./phone.ts";
import type { Program, Terminal } from "./shell.ts";

/** Apps, settings, and what `dumpsys` tells; formats from public captures (S2-group/android-runner issue 28 and others). */
export const APP_PROGRAMS: Readonly<Record<string, Program>> = {
  am: async ([act, ...args], terminal) => {
    const { phone, out, err } = terminal;
    const fault = phone.faults.take("am");
    if (fault?.kind === "refused") {
      await err(`${fault.said}\n`);
      return fault.code;
    }
    if (act === "broadcast") return broadcast(args, terminal);
    const component = args[args.indexOf("-n") + 1] ?? "";
    const app = phone.apps.find((each) => componentOf(each) === component);
    await out(`Starting: Intent { cmp=${component} }\n`);
    if (act === "start" && app) {
      phone.open(app);
      await phone.live?.open();
      if (fault?.kind === "silent") phone.faults.hush();
      return 0;
    }
    await err(`Error type 3\nError: Activity class {${component}} does not exist.\n`);
    return 1;
  },
  monkey: async (args, { phone, out }) => {
    const app = phone.apps.find((each) => each.package === args[args.indexOf("-p") + 1]);
    if (app === undefined) {
      await out("** No activities found to run, monkey aborted.\n");
      return 252;
    }
    phone.open(app);
    await out("Events injected: 1\n");
    return 0;
  },
  cmd: async ([service, act, ...args], { phone, out, err }) => {
    if (service !== "package" || phone.isOld) {
      await err(`cmd: Can't find service: ${service}\n`);
      return 20;
    }
    if (act === "query-activities") {
      // an app may have several icons
      const lines = phone.apps.flatMap((app) => [
        "priority=0 match=0x108000",
        componentOf(app),
        `${app.package}/.Alias`,
      ]);
      await out(`${lines.length / 3} activities found:\n${lines.map((line) => `  ${line}\n`).join("")}`);
      return 0;
    }
    const app = phone.apps.find((each) => each.package === args.at(-1));
    await out(app ? `priority=0 preferredOrder=0 match=0x108000\n${componentOf(app)}\n` : "No activity found\n");
    return 0;
  },
  pm: async ([act, what], { phone, out }) => {
    if (act === "list" && what === "packages") for (const app of phone.apps) await out(`package:${app.package}\n`);
    return 0;
  },
  settings: async ([act, space = "", key = "", value], { phone, out }) => {
    const name = `${space}/${key}`;
    if (act === "get") await out(`${SETTINGS[name]?.get(phone) ?? "null"}\n`);
    else if (act === "put") SETTINGS[name]?.put?.(phone, value!);
    return 0;
  },
  dumpsys: async ([service = "", ...args], { phone, out }) => {
    const tell = phone.hidden.has(service) ? undefined : DUMPS[service];
    await out(tell?.(phone, args) ?? `Can't find service: ${service}\n`);
    return 0;
  },
};

const componentOf = (app: App): string => `${app.package}/${app.activity}`;

async function broadcast(args: readonly string[], { phone, out }: Terminal): Promise<number> {
  const extras = new Map<string, string>();
  let action = "";
  let target = "";
  for (let i = 0; i < args.length; i++)
    if (args[i] === "-a") action = args[++i]!;
    else if (args[i] === "--es") extras.set(args[++i]!, args[++i]!);
    // a word too many is taken for the receiver's package: senzhk/ADBKeyBoard issue 67
    else if (!args[i]!.startsWith("-")) target = args[i]!;
  await out(`Broadcasting: Intent { act=${action} flg=0x400000${target && ` pkg=${target}`} (has extras) }\n`);
  const heard = target === "" ? phone.keyboards.hear(action, extras) : "";
  if (phone.live && heard !== "") await phone.live.text(heard);
  else if (phone.focus) phone.focus.text += heard;
  await out("Broadcast completed: result=0\n");
  return 0;
}

const SETTINGS: Readonly<Record<string, { get(phone: Phone): string; put?(phone: Phone, value: string): void }>> = {
  "secure/default_input_method": { get: ({ keyboards }) => keyboards.current },
  "secure/enabled_input_methods": { get: ({ keyboards }) => keyboards.enabled.join(":") },
  "system/user_rotation": {
    get: ({ rotation }) => String(rotation),
    put: (phone, value) => {
      phone.rotation = (Number(value) % 4) as 0 | 1 | 2 | 3;
    },
  },
};

const DUMPS: Readonly<Record<string, (phone: Phone, args: readonly string[]) => string>> = {
  input_method: ({ keyboards, focus }) => {
    const { isBound } = keyboards.look();
    return `Current Input Method Manager state:\n  mCurMethodId=${keyboards.current}\n  mCurFocusedWindow=android.os.BinderProxy@2f93b7b\n  mHaveConnection=true mBoundToMethod=${isBound} mVisibleBound=${isBound}\n  mInputShown=${isBound && focus !== null}\n`;
  },
  window: ({ front, screen: { width, height }, physical }) =>
    `  Display: mDisplayId=0\n    init=${physical.width}x${physical.height} 160dpi cur=${width}x${height} app=${width}x${height - 40}\n  mCurrentFocus=Window{5d2507e u0 ${componentOf(front)}}\n`,
  display: ({ displays, rotation, screen: { width, height } }) =>
    `DISPLAY MANAGER (dumpsys display)\n  mViewports=[${displays
      .map(
        (id, i) =>
          `DisplayViewport{type=INTERNAL, valid=true, isActive=${i === displays.length - 1}, displayId=${i === displays.length - 1 ? 0 : i + 2}, uniqueId='local:${id}', physicalPort=${i}, orientation=${rotation}, logicalFrame=Rect(0, 0 - ${width}, ${height})}`,
      )
      .join(", ")}]\n`,
  SurfaceFlinger: ({ displays }) =>
    displays
      .map((id, i) => `Display ${id} (HWC display ${i}): port=${i} pnpId=GGL displayName="EMU_display_${i}"\n`)
      .join(""),
};
