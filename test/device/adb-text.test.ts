import { expect, it } from "vitest";
import { ADB_KEYBOARD, LATIN } from "../support/android/keyboards.ts";
import { codeOf, phoneSuite } from "../support/android/phone-suite.ts";

/** What users reported about typing (known failures of phones): each title names the report. */
phoneSuite("text on an Android device", (world) => {
  const field = async () => {
    const frame = await world.bridge.capture(world.signal);
    await world.bridge.tap({ x: 100, y: 65 }, frame, world.signal);
    return world.phone.shop.search;
  };
  /** a bridge of the test's own, closed by it: what it changes is given back */
  const typed = async (text: string): Promise<string> => {
    const bridge = await world.open();
    const into = await field();
    await bridge.type(text, world.signal).finally(() => bridge.close());
    return into.text;
  };

  it("AppAgent#34: spaces are encoded, and the text is quoted for the device's shell", async () => {
    const text = `app agent 'test' "$(getprop)" ;input tap 1 1`;
    expect(await typed(text)).toBe(text);
    expect(world.phone.deeds.filter(({ kind }) => kind === "tap")).toHaveLength(1);
    expect(world.phone.lines.filter((line) => /input text '[^']* /.test(line))).toEqual([]);
  });

  it("mobile-mcp#78, agent-device#116: what is not ASCII never goes to `input text`; without a keyboard for it, it is refused", async () => {
    for (const text of ["שלום!", "很", "☝"]) {
      await expect(world.bridge.type(text, world.signal)).rejects.toMatchObject({
        code: "SCREEN_REFUSED",
        next: expect.stringContaining("install ADBKeyBoard"),
      });
    }
    expect(world.phone.lines.filter((line) => line.includes("input text"))).toEqual([]);
    expect(world.phone.keyboards.current).toBe(LATIN);
  });

  it("midscene#1833: accents and a literal %s come as they are, by the keyboard and without one", async () => {
    expect(await typed("100% %s %d%")).toBe("100% %s %d%");
    world.phone.reset();
    world.phone.keyboards.install(ADB_KEYBOARD);
    expect(await typed("ö é ñ %s %d")).toBe("ö é ñ %s %d");
  });

  it("midscene#2056: long numbers are typed in pieces that no system loses keys of", async () => {
    world.phone.faults.plan("input", { kind: "loses", every: 11 }, 9);
    expect(await typed("310110197211165036")).toBe("310110197211165036");
  });

  it("ADBKeyBoard#67, jadb#67: broadcasts carry base64 in quotes", async () => {
    world.phone.keyboards.install(ADB_KEYBOARD);
    const text = "hello? Hello? (•_•)\n( •_•)>⌐■-■ 'é\"";
    expect(await typed(text)).toBe(text);
    expect(world.phone.lines.filter((line) => line.includes("broadcast"))).toEqual([
      expect.stringMatching(/^am broadcast -a ADB_INPUT_B64 --es msg '[A-Za-z0-9+/=]+'$/),
    ]);
  });

  it("Open-AutoGLM#130, autoglm.js#5: the keyboard is enabled before it is chosen, and given back as it was", async () => {
    const { keyboards } = world.phone;
    keyboards.install(ADB_KEYBOARD);
    expect(await typed("é")).toBe("é");
    expect(keyboards).toMatchObject({ current: LATIN, enabled: [LATIN] });
    expect(world.phone.lines.filter((line) => /^ime (enable|set|disable)/.test(line))).toEqual([
      `ime enable ${ADB_KEYBOARD}`,
      `ime set ${ADB_KEYBOARD}`,
      `ime set '${LATIN}'`,
      `ime disable ${ADB_KEYBOARD}`,
    ]);
  });

  it("autoglm.js#5: the keyboard is given back after a failure, once; one that was enabled before stays enabled", async () => {
    const { keyboards, faults } = world.phone;
    keyboards.install(ADB_KEYBOARD);
    keyboards.enable(ADB_KEYBOARD);
    const bridge = await world.open();
    await field();
    faults.plan("am", { kind: "refused", said: "java.lang.SecurityException: not allowed", code: 255 });
    await expect(bridge.type("é", world.signal)).rejects.toMatchObject({ code: "SCREEN_REFUSED" });
    expect(keyboards.current).toBe(ADB_KEYBOARD);
    await bridge.close();
    await bridge.close();
    expect(keyboards).toMatchObject({ current: LATIN, enabled: [LATIN, ADB_KEYBOARD] });
    expect(world.phone.lines.filter((line) => line.startsWith("ime set"))).toHaveLength(2);
  });

  it("autoglm.js#5: a keyboard that could not be given back is said, with the command that does it", async () => {
    world.phone.keyboards.install(ADB_KEYBOARD);
    const bridge = await world.open();
    await field();
    await bridge.type("é", world.signal);
    world.phone.faults.plan("ime", { kind: "refused", said: "Error: busy", code: 255 });
    await expect(bridge.close()).rejects.toMatchObject({
      code: "SCREEN_REFUSED",
      next: `adb -s ${world.android.serial} shell ime set ${LATIN}`,
    });
    await bridge.close();
    expect(world.phone.keyboards.current).toBe(LATIN);
  });

  it("autoglm.js#5: what a killed process did not give back, the next one gives back", async () => {
    const { keyboards, files } = world.phone;
    keyboards.install(ADB_KEYBOARD);
    const killed = await world.open();
    await field();
    await killed.type("é", world.signal);
    expect(keyboards.current).toBe(ADB_KEYBOARD);
    expect(await typed("é")).toBe("éé");
    expect(keyboards).toMatchObject({ current: LATIN, enabled: [LATIN] });
    expect(files.list("/data/local/tmp")).toEqual([]);
  });

  it("autoglm.js#5: what a killed process did not give back is given back by one that types nothing, too, but not over a person's choice", async () => {
    const { keyboards, files } = world.phone;
    keyboards.install(ADB_KEYBOARD);
    const killed = await world.open();
    await field();
    await killed.type("é", world.signal);
    await (await world.open()).close();
    expect(keyboards).toMatchObject({ current: LATIN, enabled: [LATIN] });
    expect(files.list("/data/local/tmp")).toEqual([]);
    await (await world.open()).type("é", world.signal);
    keyboards.install("com.example/.Mine");
    keyboards.choose("com.example/.Mine");
    await (await world.open()).close();
    expect(keyboards.current).toBe("com.example/.Mine");
  });

  it("autoglm.js#5: stopped or failed while the keyboard is being chosen, it is given back all the same", async () => {
    const { keyboards, lines } = world.phone;
    keyboards.install(ADB_KEYBOARD);
    keyboards.looksToBind = 1_000;
    await field();
    const stop = new AbortController();
    const stopped = await world.open();
    const typing = stopped.type("é", stop.signal);
    typing.catch(() => {});
    await expect.poll(() => lines.some((line) => line.includes("dumpsys input_method"))).toBe(true);
    stop.abort();
    await expect(typing).rejects.toMatchObject({ code: "CANCELLED" });
    expect(keyboards.current).toBe(ADB_KEYBOARD);
    await stopped.close();
    expect(keyboards).toMatchObject({ current: LATIN, enabled: [LATIN] });

    const failed = await world.open();
    await expect(failed.type("é", world.signal)).rejects.toMatchObject({ code: "SCREEN_REFUSED" });
    // from now on it hears at once, and is chosen anew
    keyboards.choose(LATIN);
    keyboards.looksToBind = 0;
    await failed.type("é", world.signal);
    expect(world.phone.shop.search.text).toBe("é");
    await failed.close();
    expect(keyboards).toMatchObject({ current: LATIN, enabled: [LATIN] });
  });

  it("Open-AutoGLM#228, AutoGLM-GUI#400: where nobody may list the input methods, the settings say which there are", async () => {
    const { keyboards } = world.phone;
    keyboards.install(ADB_KEYBOARD);
    keyboards.enable(ADB_KEYBOARD);
    keyboards.isListForbidden = true;
    expect(await typed("很")).toBe("很");
  });

  it("AutoGLM-GUI#479: a keyboard that is not known at once is asked for again", async () => {
    const { keyboards } = world.phone;
    keyboards.install(ADB_KEYBOARD);
    keyboards.unknownFor = 3;
    keyboards.looksToBind = 3;
    expect(await typed("很")).toBe("很");
    expect(world.phone.lines.filter((line) => line === `ime enable ${ADB_KEYBOARD}`).length).toBe(4);
  });

  it("a text that is longer than a packet of an old device comes whole", async () => {
    world.phone.keyboards.install(ADB_KEYBOARD);
    for (const text of ["0123456789 abc ".repeat(300), "é很👩‍👩‍👧 ".repeat(300)]) {
      world.phone.shop.clear();
      expect(await typed(text)).toBe(text);
    }
    expect(Math.max(...world.phone.lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(4000);
  });

  it("several lines are typed with enter between them where no keyboard takes them whole", async () => {
    const frame = await world.bridge.capture(world.signal);
    await world.bridge.tap({ x: 100, y: 150 }, frame, world.signal);
    await world.bridge.tap({ x: 100, y: 200 }, frame, world.signal);
    await world.bridge.type("two\nlines", world.signal);
    expect(world.phone.shop.note.text).toBe("two\nlines");
  });

  it("what was typed in part is unsure, not refused", async () => {
    await field();
    world.phone.faults.plan("input", { kind: "slow", ms: 1 });
    world.phone.faults.plan("input", { kind: "refused", said: "Error: no focus", code: 255 });
    expect(await codeOf(world.bridge.type("a long text of two pieces", world.signal))).toBe("SCREEN_UNSURE");
  });
});
