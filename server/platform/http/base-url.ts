/** Where this gallery is reached from outside: what links that leave it begin with. */
import type { FastifyRequest } from 'fastify';

/** A name, an IPv4 or a bracketed IPv6 address, and perhaps a port; `_` occurs in the names of containers. */
const hostPattern = /^(?:\w[\w.-]{0,252}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

interface OwnAddress {
  /** Without a trailing slash; undefined: as the request came in. */
  baseUrl: string | undefined;
  port: number;
}

/** `https://photos.example.org`, without a trailing slash: the setting, else as this request came in. */
export function baseUrlOf(request: FastifyRequest, { baseUrl, port }: OwnAddress): string {
  if (baseUrl) return baseUrl;
  // Behind a trusted proxy both are what a header says: text of any kind.
  const scheme = request.protocol === 'https' || isBrowserOverHttps(request) ? 'https' : 'http';
  return originOf(scheme, request.host) ?? `${scheme}://${ownAddress(request, port)}`;
}

/** Hosts that browsers count as secure over plain HTTP, too. */
const loopbackHost = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether a browser says that it came by https, as it alone knows behind a proxy that TRUST_PROXY does not name. It
 * names the page's origin, and sends Sec-Fetch-Site over https alone, but to loopback. A client that lies gets other
 * links and cookies in its own answers; no right depends on this.
 */
function isBrowserOverHttps({ headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === `https://${host}`) return true;
  return site !== undefined && origin !== `http://${host}` && !loopbackHost.test(host);
}

/** The host is client input: undefined unless it is one. */
function originOf(scheme: string, host: string): string | undefined {
  if (!hostPattern.test(host)) return undefined;
  return URL.parse(`${scheme}://${host}`)?.origin;
}

/** The address that the client connected to. */
function ownAddress({ socket }: FastifyRequest, port: number): string {
  const { localAddress = 'localhost', localPort = port } = socket;
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
}
