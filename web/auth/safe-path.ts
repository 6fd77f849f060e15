/** Validates the page to return to after signing in: only pages of this gallery are allowed. */

/**
 * Returns a path of this gallery; anything but a plain path becomes the home page. `to` is text from the
 * URL. Browsers read `//host` and `/\\host` as other hosts, and ignore tabs and line breaks.
 */
export function safePath(to: unknown, origin: string): string {
  if (typeof to !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to)) return '/';
  const url = new URL(to, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  // A signed-in user does not need the sign-in or registration page.
  if (url.pathname === '/sign-in' || url.pathname === '/register') return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
