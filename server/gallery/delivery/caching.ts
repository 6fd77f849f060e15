/** How long an image may be kept, and by whom. Why: docs/adr/0005-objects-and-signatures.md. */
import type { Access } from './access.ts';

const askedEachTime = 's-maxage=0, proxy-revalidate';

/**
 * Browsers keep it for good, since the bytes of a name never change. Shared caches ask us each time (and get
 * a 304), so that a photo made private is private at once.
 */
export const forEverybody = `public, max-age=31536000, ${askedEachTime}, immutable`;

/** The owner's raw original: where the picture was taken does not lie around in caches. */
export const forOwner = 'private, no-store';

export const forToken = 'private, no-cache';

/** The path stays the same. A browser that signs out, or somebody else in, finds nothing in its cache: see `byViewer`. */
const forCookie = 'private, max-age=3600';

/** The request headers that tell who the viewer is, as `Vary` names them. */
export const byViewer = 'Authorization, Cookie';

export function cacheControlFor(access: Access, now: number): string {
  switch (access.by) {
    case 'everybody':
      if (access.expires === undefined) return forEverybody;
      return `public, max-age=${access.expires - now}, ${askedEachTime}`;
    case 'token':
      return forToken;
    case 'cookie':
      return forCookie;
    case 'signature':
      return `private, max-age=${access.expires - now}`;
  }
}

/** So that no client follows a cached redirect to an address that has just expired. Seconds. */
const redirectMargin = 30;

/** Of a redirect to an address that holds until `expires`: cached for less, and only by the browser. */
export function redirectCacheControl(access: Access, expires: number, now: number): string {
  const left = Math.max(expires - now - redirectMargin, 0);
  switch (access.by) {
    case 'everybody':
      return `public, max-age=${left}, ${askedEachTime}`;
    case 'signature':
      return `private, max-age=${Math.min(left, access.expires - now)}`;
    case 'token':
    case 'cookie':
      return 'private, no-store';
  }
}
