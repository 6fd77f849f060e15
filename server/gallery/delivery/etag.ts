/** Objects never change, so their names are their versions. */
import type { FastifyRequest } from 'fastify';

/** Strong. `variant` where one name is answered with different bytes. */
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
