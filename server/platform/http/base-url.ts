/** Base URL of this gallery for links that leave it, e.g. in mail. */
import type { FastifyRequest } from 'fastify';
import { plainAddress } from '../connections/address.ts';

/**
 * A host name, an IPv4 address or an IPv6 address in brackets, with an optional port. Container names may contain `_`.
 */
const hostPattern = /^(?:\w[\w.-]{0,252}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

interface OwnAddress {
  /** Base URL from the settings, without a trailing slash. Undefined means that the request's host is used. */
  baseUrl: string | undefined;
  port: number;
}

/**
 * Returns the gallery's base URL, e.g. `https://photos.example.org`, without a trailing slash. The setting wins over
 * the request's host.
 */
export function getBaseUrl(request: FastifyRequest, { baseUrl, port }: OwnAddress): string {
  if (baseUrl) return baseUrl;
  // Behind a trusted proxy, scheme and host come from headers and may be any text.
  const scheme = request.protocol === 'https' || isBrowserOverHttps(request) ? 'https' : 'http';
  return parseOrigin(scheme, request.host) ?? `${scheme}://${ownAddress(request, port)}`;
}

/** Hosts that browsers treat as secure over plain HTTP, too. */
const loopbackHost = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether the browser reached the gallery over HTTPS. Behind a proxy that TRUST_PROXY does not name, only the browser
 * knows. The browser sends the page's origin, and sends Sec-Fetch-Site only over HTTPS or to a loopback host. A client
 * that lies only changes links and cookies in its own responses; no permission depends on this check.
 */
function isBrowserOverHttps({ headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === `https://${host}`) return true;
  return site !== undefined && origin !== `http://${host}` && !loopbackHost.test(host);
}

/** Returns whether the request's host is the server's own IP address or a name of this machine. */
export function isOwnHost({ host, socket }: FastifyRequest): boolean {
  if (loopbackHost.test(host)) return true;
  const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '');
  return name !== undefined && name === plainAddress(socket.localAddress);
}

/** Returns the origin of a host, or undefined if the host, which the client controls, is invalid. */
function parseOrigin(scheme: string, host: string): string | undefined {
  if (!hostPattern.test(host)) return undefined;
  return URL.parse(`${scheme}://${host}`)?.origin;
}

/** Returns the local IP address and port that the client has connected to. */
function ownAddress({ socket }: FastifyRequest, port: number): string {
  const { localPort = port } = socket;
  const address = plainAddress(socket.localAddress) ?? 'localhost';
  return address.includes(':') ? `[${address}]:${localPort}` : `${address}:${localPort}`;
}
