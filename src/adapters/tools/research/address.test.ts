import { expect, test } from "vitest";
import { isPublic } from "./address.ts";

test.each(["93.184.216.34", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::200e"])(
  "%s belongs to the internet",
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test.each(
  `127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 192.0.0.1
  192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.9 224.0.0.1 255.255.255.255 240.0.0.1 :: ::1 ::ffff:127.0.0.1
  ::ffff:93.184.216.34 ::127.0.0.1 fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd12::1 ff02::1 64:ff9b::7f00:1 64:ff9b:1::1
  2002:7f00:1::1 2001::1 2001:db8::1 100::1 5f00::1 localhost 2130706433 1.2.3`.split(/\s+/),
)("%s does not", (address) => {
  expect(isPublic(address)).toBe(false);
});
