/** Which bytes a client wants, and whether it has them already. Byte ranges: https://www.rfc-editor.org/rfc/rfc9110#section-14 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../../platform/errors/catalogue.ts';
import type { ByteRange } from '../../platform/storage/storage.ts';

const single = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** The range that a `Range` header asks for; undefined for the whole: also where it is malformed or multiple. */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = header === undefined ? null : single.exec(header);
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

/** The range to answer with, undefined for the whole. Throws a rangeNotSatisfiable that says how long the object is. */
export function chooseRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, etag }: { size: number; etag: string },
): ByteRange | undefined {
  const { range: header, 'if-range': condition } = request.headers;
  if (header === undefined || request.method !== 'GET') return undefined;
  // A date never matches: objects have no Last-Modified.
  if (condition !== undefined && condition !== etag) return undefined;
  const range = parseRange(header, size);
  if (range !== 'unsatisfiable') return range;
  reply.header('Content-Range', `bytes */${size}`);
  throw errors.rangeNotSatisfiable();
}

/** Objects never change, so their names are their versions. Strong. `variant` where one name is answered with different bytes. */
export function etagOf(name: string, variant = ''): string {
  return `"${name}${variant}"`;
}

/** Whether the client already has it, by `If-None-Match`: a list, weak or strong, or `*`. */
export function isNotModified(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
