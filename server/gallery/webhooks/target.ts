/**
 * Where deliveries may go. A target is checked when it is set, and again at every connection, on the address that
 * its name has then: a name that looks public today may be a private machine's tomorrow.
 */
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalidFields } from '../../platform/errors/catalogue.ts';

export const maxUrlLength = 2000;

export interface TargetRules {
  /** Also loopback, private and other addresses that are not public. */
  allowPrivate: boolean;
  /** Stands in for the system's resolver where a test needs names of its own. */
  lookup?: AllLookup;
}

export type AllLookup = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export class PrivateTarget extends Error {
  constructor() {
    super('The address of the target is not public');
    this.name = 'PrivateTarget';
  }
}

/** Returns the address in one spelling: `http://0x7f.1/` is `http://127.0.0.1/`. Throws invalid naming `url`. */
export function checkTarget(text: string, rules: TargetRules): string {
  const problem = targetProblem(text, rules);
  if (problem) throw invalidFields({ url: [problem] });
  return new URL(text).href;
}

/** Why deliveries may not go there; undefined when they may. */
export function targetProblem(text: string, { allowPrivate }: TargetRules): string | undefined {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'must be an http or https address';
  if (url.username || url.password) return 'must not contain a name or password';
  if (url.href.length > maxUrlLength) return `must have at most ${maxUrlLength} characters`;
  const address = literalAddress(url);
  const isPrivate = address === undefined ? isLocalName(url) : !isPublic(address);
  return isPrivate && !allowPrivate ? 'must not be an address in a private network' : undefined;
}

/** Names that are this machine everywhere (RFC 6761); of others only a lookup tells, before each delivery. */
function isLocalName({ hostname }: URL): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/** The host when it is an address, without the brackets; names are looked up by `lookupPublic`. */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Public by their range, and yet a cloud's own: this one is Azure's, for its machines' settings. */
const withinClouds = ['168.63.129.16'];

/**
 * Ordinary addresses only: `range` tells private, shared, mapped, translated (NAT64, 6to4, Teredo) and reserved ones.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || withinClouds.includes(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast as [ipaddr.IPv6, number]);
}

/** For a socket: fails when any address of the name is not public, and connects to none but those it has seen. */
export function createLookup({ allowPrivate, lookup = systemLookup }: TargetRules): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true } as LookupAllOptions, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('no address'), '');
      if (!allowPrivate && !addresses.every(({ address }) => isPublic(address))) {
        return callback(new PrivateTarget(), '');
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
