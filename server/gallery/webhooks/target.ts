/**
 * Rules for the URLs of webhooks. The server checks a URL when a user saves it, and its IP addresses again at each
 * connection. The IP addresses of a name can change from public to private.
 */
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalidFieldsError } from '../../platform/errors/catalogue.ts';

export const maxUrlLength = 2000;

export interface WebhookTargetRules {
  /** True if loopback, private and other IP addresses that are not public are allowed. */
  allowPrivate: boolean;
  /** Replaces the system's DNS resolver in tests. */
  lookup?: LookupAllAddresses;
}

export type LookupAllAddresses = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export class PrivateTargetError extends Error {
  constructor() {
    super('The target must have a public address');
    this.name = 'PrivateTargetError';
  }
}

/**
 * Checks a URL and returns its normalized form: `http://0x7f.1/` becomes `http://127.0.0.1/`. Throws invalid for the
 * field `url`.
 */
export function checkWebhookTarget(text: string, rules: WebhookTargetRules): string {
  const problem = findWebhookTargetProblem(text, rules);
  if (problem) throw invalidFieldsError({ url: [problem] });
  return new URL(text).href;
}

/** Returns the reason why a URL is not allowed, or undefined if the URL is allowed. */
export function findWebhookTargetProblem(
  text: string,
  { allowPrivate }: WebhookTargetRules,
): string | undefined {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'Must be an http or https address';
  if (url.username || url.password) return 'Must not contain a username or password';
  if (url.href.length > maxUrlLength) return `Must have at most ${maxUrlLength} characters`;
  const address = literalAddress(url);
  const isPrivate = address === undefined ? isLocalName(url) : !isPublicAddress(address);
  return isPrivate && !allowPrivate ? 'Must not be an address in a private network' : undefined;
}

/**
 * Returns true for names that always mean the local machine (RFC 6761). Other names are checked by the lookup before
 * each delivery.
 */
function isLocalName({ hostname }: URL): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/**
 * Returns the host of a URL if it is an IP address, without brackets. Names are resolved by the function of
 * `createPublicAddressLookup`.
 */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

const globalUnicast = ipaddr.parseCIDR('2000::/3');
/**
 * IP addresses of cloud services in a public range. The IP address 168.63.129.16 gives Azure machines their settings.
 */
const withinClouds = ['168.63.129.16'];

/**
 * Returns true for ordinary public IP addresses. The check of `range` excludes private, shared, mapped, translated
 * (NAT64, 6to4, Teredo) and reserved IP addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || withinClouds.includes(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast as [ipaddr.IPv6, number]);
}

/**
 * Returns a lookup function for sockets. The lookup fails if any IP address of the name is not public, and the socket
 * connects only to checked IP addresses.
 */
export function createPublicAddressLookup({
  allowPrivate,
  lookup = systemLookup,
}: WebhookTargetRules): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true } as LookupAllOptions, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('no address'), '');
      if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new PrivateTargetError(), '');
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
