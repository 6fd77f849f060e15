/** Client IP addresses and the keys under which requests are counted. */
import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Caller } from '../concurrency/fair-order.ts';

/**
 * Returns the client's IP address. A trusted proxy may pass any text in X-Forwarded-For; if that text is no IP address,
 * the IP address of the connection counts. No other code may read `request.ip`.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const { remoteAddress } = socket;
  // This function runs several times per request, and the IP address of the operating system needs no parsing.
  if (ip === remoteAddress && ip?.includes('.') && !ip.includes(':')) return ip;
  return plainAddress(ip) ?? plainAddress(remoteAddress) ?? '';
}

/**
 * Returns the IP address without the zone of an IPv6 address, which may be text of any length. A server that listens
 * on IPv6 and IPv4 sees IPv4 addresses as IPv4-mapped ones. Undefined if `given` is no IP address.
 */
export function plainAddress(given: string | undefined): string | undefined {
  const address = given?.includes('%') ? given.split('%', 1)[0] : given;
  if (!address || !isIP(address)) return undefined;
  return mappedIpv4.exec(address)?.[1] ?? address;
}

/** Returns the key under which calls are counted: the user, or the IP address of an anonymous client. */
export function callerKey(viewer: { id: number } | undefined, request: FastifyRequest): string {
  return viewer ? `u${viewer.id}` : getIpAddressKey(clientAddress(request));
}

/** Returns the caller for a queue: `callerKey`, and the IP address that other users may share. */
export function requestCaller(viewer: { id: number } | undefined, request: FastifyRequest): Caller {
  return {
    name: callerKey(viewer, request),
    address: getIpAddressKey(clientAddress(request)),
    isRequest: true,
  };
}

/** IPv4-mapped IPv6 address as the operating system writes it. A proxy may write other forms. */
const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the IPv4 address, also for an IPv4-mapped IPv6 address. An IPv6 address is reduced to its first 64 bits, the
 * network of one household or server. Otherwise one client could escape its limits with 2^64 IP addresses.
 */
export function getIpAddressKey(ip: string): string {
  if (!ip.includes(':')) return ip;
  const mapped = mappedIpv4.exec(ip);
  if (mapped) return mapped[1]!;
  if (!isIPv6(ip)) return ip;
  // The library throws for zones that it does not know, e.g. `br-lan`, so the zone is removed first.
  const address = ipaddr.process(ip.split('%', 1)[0]!);
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
