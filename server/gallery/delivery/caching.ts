/**
 * Chooses who can cache an image and for how long. The record docs/adr/0005-objects-and-signatures.md has the
 * reasons.
 */
import type { ImageAccessReason } from './access.ts';

/** Maximum number of seconds for which a browser shows its own copy of an image without asking. */
const maxBrowserSeconds = 3600;

const revalidateEachTime = 's-maxage=0, proxy-revalidate';

/**
 * Caching of a public image. A browser asks again after an hour, because the photo may have been hidden meanwhile.
 * Shared caches revalidate at every request, so that a photo made private disappears from them at once.
 */
export const publicImageCacheControl = `public, max-age=${maxBrowserSeconds}, ${revalidateEachTime}`;

/** Caching of the owner's original: none, because the file contains the location where the photo was taken. */
export const ownerOriginalCacheControl = 'private, no-store';

export const tokenImageCacheControl = 'private, no-cache';

/**
 * Caching for a viewer with a session cookie, whose paths have no signature. `Vary` (see `viewerVaryHeaders`) stops a
 * browser from showing its cached images after a sign-out or to another user.
 */
const forCookie = `private, max-age=${maxBrowserSeconds}`;

/** Request headers that identify the viewer, for the response header `Vary`. */
export const viewerVaryHeaders = 'Authorization, Cookie';

export function chooseCacheControl(access: ImageAccessReason, now: number): string {
  switch (access.by) {
    case 'everybody':
      if (access.expires === undefined) return publicImageCacheControl;
      return `public, max-age=${access.expires - now}, ${revalidateEachTime}`;
    case 'token':
      return tokenImageCacheControl;
    case 'cookie':
      return forCookie;
    case 'signature':
      return `private, max-age=${Math.min(access.expires - now, maxBrowserSeconds)}`;
  }
}

/**
 * Seconds that a cached redirect expires before the URL it points to, so that no client follows a redirect to
 * an expired URL.
 */
const redirectMarginSeconds = 30;

/**
 * Returns the Cache-Control header of a redirect to a URL that is valid until `expires`. The redirect expires
 * before the URL.
 */
export function redirectCacheControl(access: ImageAccessReason, expires: number, now: number): string {
  const left = Math.max(expires - now - redirectMarginSeconds, 0);
  switch (access.by) {
    case 'everybody':
      return `public, max-age=${left}, ${revalidateEachTime}`;
    case 'signature':
      return `private, max-age=${Math.min(left, access.expires - now)}`;
    case 'token':
    case 'cookie':
      return 'private, no-store';
  }
}
