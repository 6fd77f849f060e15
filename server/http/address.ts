/** Whom an address stands for, when requests are counted. */
import { isIPv6 } from 'node:net';

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * An IPv4 address by itself; of an IPv6 address the first 64 bits, which is what one household or server is given:
 * counted singly, it would have a purse for each of its 2^64 addresses.
 */
export function addressKey(ip: string): string {
  const mapped = mappedIpv4.exec(ip);
  if (mapped) return mapped[1]!;
  if (!isIPv6(ip)) return ip;
  const [head, tail] = ip.split('%', 1)[0]!.split('::') as [string, string | undefined];
  const before = head.split(':').filter(Boolean);
  const after = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
