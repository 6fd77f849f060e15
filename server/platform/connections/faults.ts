/** Requests that RFC 9112 tells a server to refuse and Node's parser takes: refused before any route, in the envelope. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { catalogue, type ErrorEntry } from '../errors/catalogue.ts';

/** Undefined where the request is well formed. */
export function findFault(request: IncomingMessage): ErrorEntry | undefined {
  const { headers, rawHeaders, httpVersion } = request;
  const hosts = countHosts(rawHeaders);
  const isLater = httpVersion !== '1.0';
  // Proxies and servers that choose differently among two hosts see different sites.
  if (hosts > 1 || (hosts === 0 && isLater))
    return { ...catalogue.invalid, message: 'A request needs one Host header, and not more' };
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return { ...catalogue.wrongContentType, message: 'Only chunked is supported as Transfer-Encoding' };
  const { expect } = headers;
  if (isLater && expect !== undefined && !isContinue.test(expect)) return catalogue.expectationFailed;
  return undefined;
}

/** Node recognizes the expectation by the same expression. */
const isContinue = /(?:^|\W)100-continue(?:$|\W)/i;

/** Runs for every request: no object is made of the headers. */
function countHosts(rawHeaders: string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/** The connection ends: what follows such a request may be meant otherwise. */
export function refuseRequest(response: ServerResponse, { code, status, message }: ErrorEntry): void {
  const body = JSON.stringify({ code, message });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  response.end(body);
}
