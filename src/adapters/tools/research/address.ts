import { BlockList, isIP } from "node:net";

/** Whether an address of the network may be asked. */
export type Permits = (address: string) => boolean;

const BLOCKED_4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
/** within 2000::/3, outside of which no address of the internet lies; 6to4, Teredo and NAT64 carry an IPv4 address */
const BLOCKED_6 = "2001::/23 2001:db8::/32 2002::/16 3fff::/20";

const blocked = new BlockList();
for (const net of BLOCKED_4.split(/\s+/)) add(net, "ipv4");
for (const net of BLOCKED_6.split(/\s+/)) add(net, "ipv6");
const internet6 = new BlockList();
internet6.addSubnet("2000::", 3, "ipv6");

function add(net: string, family: "ipv4" | "ipv6"): void {
  const [from, bits] = net.split("/");
  blocked.addSubnet(from!, Number(bits), family);
}

/**
 * Whether an address, IPv4 or IPv6, belongs to the internet: not to this machine, its networks, a link, a group, a
 * cloud's metadata, or a form of IPv6 that carries an IPv4 address. What is no address is none of it.
 */
export const isPublic: Permits = (address) => {
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, "ipv4");
    case 6:
      return !address.includes("%") && internet6.check(address, "ipv6") && !blocked.check(address, "ipv6");
    default:
      return false;
  }
};
