import { lockPhone } from "../../../src/app/device/phone-lock.ts";

/** A process that takes a phone at a word on its input, says how that went, and keeps it until its input ends. */
const phone = { serial: "emulator-5554", host: "127.0.0.1", port: 5037 };
const lines = process.stdin.setEncoding("utf8")[Symbol.asyncIterator]();
console.log("ready");
await lines.next();
try {
  await lockPhone(phone, {
    by: `taker ${process.pid}`,
    env: process.env,
    signal: new AbortController().signal,
  });
  console.log("taken");
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  console.log(`${code} ${message}`);
}
await lines.next();
process.exit(0);
