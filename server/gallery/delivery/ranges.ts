/**
 * Reads conditional and range headers of a request. Byte ranges: https://www.rfc-editor.org/rfc/rfc9110#section-14
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../../platform/errors/catalogue.ts';
import type { ByteRange } from '../../platform/storage/storage.ts';

const singleRangePattern = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * Returns the byte range of a `Range` header. Returns undefined for the whole object, also if the header is
 * malformed or has several ranges.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = header === undefined ? null : singleRangePattern.exec(header);
  if (!match) return undefined;
  const [, first, last] = match as unknown as [string, string, string];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

/**
 * Returns the byte range to send, or undefined for the whole object. Throws rangeNotSatisfiable, with the object's
 * length in a response header.
 */
export function chooseByteRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, etag }: { size: number; etag: string },
): ByteRange | undefined {
  const { range: header, 'if-range': condition } = request.headers;
  if (header === undefined || request.method !== 'GET') return undefined;
  // A date in If-Range never matches, because objects have no Last-Modified header.
  if (condition !== undefined && condition !== etag) return undefined;
  const range = parseRange(header, size);
  if (range !== 'unsatisfiable') return range;
  reply.header('Content-Range', `bytes */${size}`);
  throw errors.rangeNotSatisfiable();
}

/**
 * Returns the strong entity tag of an object: its name, because the bytes behind a name never change. `variant`
 * distinguishes different bytes under the same name.
 */
export function createEtag(name: string, variant = ''): string {
  return `"${name}${variant}"`;
}

/** Returns whether the client's `If-None-Match` header, a list of tags or `*`, matches the entity tag. */
export function isNotModified(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
