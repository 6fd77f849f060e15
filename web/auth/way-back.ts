/** Where one goes after signing in: back to a page of this gallery, and to no other place. */

/**
 * `to`: whatever stood in the address. Browsers read `//host` and `/\host` as other hosts, and leave tabs and line breaks
 * out, so what is not a plain path is the home page.
 */
export function safePath(to: unknown, origin: string): string {
  if (typeof to !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to)) return '/';
  const url = new URL(to, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  // Who has signed in has no use for the page that one signs in at.
  if (url.pathname === '/sign-in' || url.pathname === '/register') return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
