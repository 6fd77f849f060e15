/** Checks paths that a response sends a browser to, so that no redirect leads to another site. */
import type { FastifyRequest } from 'fastify';

/** Maximum length of a path in characters. Browsers store no cookie larger than 4 kB. */
const maxPath = 2000;

/**
 * Returns a path of this service that is safe in a header, or the home page. Browsers read `//host` and `/\\host` as
 * other hosts. The length is checked after encoding, which can make a path nine times as long.
 */
export function localPath(to: string | undefined): string {
  if (to === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to)) return '/';
  const { pathname, search, hash } = new URL(to, 'http://gallery.invalid');
  const path = pathname + search + hash;
  return path.startsWith('//') || path.length > maxPath ? '/' : path;
}

/** Returns the path and query of a request, for a link that leads back. The path decides about nothing else. */
export function requestedPath({ raw }: FastifyRequest): string {
  return localPath(raw.url);
}
