/**
 * Notices a proxy in front of this server that TRUST_PROXY does not name. All its clients then share one address: one
 * rate limit, one number of connections, one place in the audit log.
 */
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { addressOf } from '../connections/address.ts';

export interface ProxyWatch {
  /** The proxy's address, '' while none was noticed. Each process notices by itself. */
  address: string;
}

/** Headers that proxies add. */
const headersOfProxies = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded'];
/** Networks in which a proxy of the operator stands. Anybody elsewhere may write such headers, and many do. */
const ownNetworks = new Set<string>(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

interface Needs {
  isProxy(address: string): boolean;
  log: Logger;
}

/** Looks at the requests of this scope until one came through such a proxy. It decides nothing about them. */
export function watchForProxies(app: FastifyInstance, { isProxy, log }: Needs): void {
  const { proxies } = app.shared;
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, socket } = request.raw;
    if (proxies.address || !headersOfProxies.some((name) => name in headers)) return done();
    // TRUST_PROXY may name others: then Fastify's address is not the connection's.
    const address = addressOf({ ip: socket.remoteAddress ?? '', socket });
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
    `requests come through a proxy at ${address} that TRUST_PROXY does not name: all its clients share one rate limit, ` +
    'and https is not recognized. If the proxy is yours, set TRUST_PROXY to its address (docs/deploy.md)'
  );
}
