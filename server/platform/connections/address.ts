/** What an address stands for when requests are counted. */
import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Caller } from '../concurrency/fair-order.ts';

/**
 * The client's IP address. What a trusted proxy hands on in X-Forwarded-For may be any text, as long as a header:
 * where it is no address, the connection's own counts. Nothing else reads `request.ip`.
 */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const { remoteAddress } = socket;
  // Asked several times a request: what the system says is an address.
  if (ip === remoteAddress && ip?.includes('.')) return ip;
  return plainAddress(ip) ?? plainAddress(remoteAddress) ?? '';
}

/** Without the zone of an IPv6 address, which is text of any length. */
function plainAddress(given: string | undefined): string | undefined {
  const address = given?.includes('%') ? given.split('%', 1)[0] : given;
  return address && isIP(address) ? address : undefined;
}

/** For whom calls are counted: the user, else the address. */
export function callerKey(viewer: { id: number } | undefined, request: FastifyRequest): string {
  return viewer ? `u${viewer.id}` : addressKey(addressOf(request));
}

/** For whom queues count: `callerKey`, and the address behind which others may be. */
export function callerOf(viewer: { id: number } | undefined, request: FastifyRequest): Caller {
  return { name: callerKey(viewer, request), address: addressKey(addressOf(request)), isRequest: true };
}

/** As the system writes them; a proxy may write one in other ways. */
const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * An IPv4 address by itself, also where it is written as an IPv6 address; of an IPv6 address the first 64 bits, which
 * is what one household or server is given: counted singly, it would have a limit of its own for each of its 2^64
 * addresses.
 */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip;
  const mapped = mappedIpv4.exec(ip);
  if (mapped) return mapped[1]!;
  if (!isIPv6(ip)) return ip;
  // The library knows fewer zones than the system has (`br-lan`), and throws at others.
  const address = ipaddr.process(ip.split('%', 1)[0]!);
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
