import { BlockList, isIP } from 'node:net';

/** True for an address with an optional prefix length: `10.1.0.0/16`, `fd00::1`. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** The addresses of ranges, each of which `isAddressRange` holds for. They are compared as numbers. */
export function addressesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    // Not by isIP, whose expressions take longer than all the rest of a start does here.
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}
