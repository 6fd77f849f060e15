/**
 * Detects a proxy that TRUST_PROXY does not name. All clients of such a proxy share one IP address, in the audit log
 * too, and so one rate limit and one connection limit.
 */
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { clientAddress } from '../connections/address.ts';

export interface DetectedProxy {
  /** IP address of the proxy. Empty while none was detected. Each process detects proxies by itself. */
  address: string;
}

/** Request headers that proxies add. */
const headersOfProxies = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
];
/**
 * Networks in which the operator's own proxy may be. Clients in other networks can send such headers themselves, and
 * many do.
 */
const ownNetworks = new Set<string>(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

interface ProxyWatchOptions {
  isProxy(address: string): boolean;
  log: Logger;
}

/**
 * Checks the requests of this scope until one came through an unnamed proxy. The requests themselves are handled
 * normally.
 */
export function detectUnnamedProxies(app: FastifyInstance, { isProxy, log }: ProxyWatchOptions): void {
  const { proxies } = app.shared;
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, socket } = request.raw;
    if (proxies.address || !headersOfProxies.some((name) => name in headers)) return done();
    // TRUST_PROXY may name another proxy, and then Fastify's IP address is not the connection's IP address.
    const address = clientAddress({ ip: socket.remoteAddress ?? '', socket });
    if (address === '' || isProxy(address) || !isOwnNetwork(address)) return done();
    proxies.address = address;
    log.warn({ address }, messageFor(address));
    done();
  });
}

function isOwnNetwork(address: string): boolean {
  return ownNetworks.has(ipaddr.process(address).range());
}

function messageFor(address: string): string {
  return (
    `requests arrive through a proxy at ${address} that TRUST_PROXY does not name: all its ` +
    'clients share one rate limit, and https is not recognized. If the proxy is yours, set ' +
    'TRUST_PROXY to its address (docs/deploy.md)'
  );
}
