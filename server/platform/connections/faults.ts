/** Refuses malformed requests that Node's parser accepts although RFC 9112 forbids them, before they reach a route. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorEntry, errorCatalogue } from '../errors/catalogue.ts';

/** Returns the error for a malformed request, or undefined for a well-formed one. */
export function findRequestFault(request: IncomingMessage): ErrorEntry | undefined {
  const { headers, rawHeaders, httpVersion } = request;
  const hosts = countHosts(rawHeaders);
  const isLater = httpVersion !== '1.0';
  // With two Host headers, a proxy and the server may each choose a different one and so a different site.
  if (hosts > 1 || (hosts === 0 && isLater))
    return { ...errorCatalogue.invalid, message: 'The request must have exactly one Host header' };
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return { ...errorCatalogue.wrongContentType, message: 'The only supported Transfer-Encoding is chunked' };
  const { expect } = headers;
  if (isLater && expect !== undefined && !isContinue.test(expect)) return errorCatalogue.expectationFailed;
  return undefined;
}

/** Pattern for the value of the Expect header, the same that Node uses. */
const isContinue = /(?:^|\W)100-continue(?:$|\W)/i;

/** Counts the Host headers. Runs for every request, so the raw list is searched without creating an object. */
function countHosts(rawHeaders: string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/**
 * Sends an error response and closes the connection, because the bytes after a malformed request may be misinterpreted.
 */
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
