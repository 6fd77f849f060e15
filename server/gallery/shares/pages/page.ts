/** The frame of every page behind a link: head, style, policy. */
import { createHash } from 'node:crypto';
import { Html, html } from '../../../platform/http/html.ts';
import { type Page, page, styleWith } from '../../../platform/http/page.ts';

/** Within the page: it arrives whole, in one answer that nothing caches. */
const style = styleWith(new URL('page.css', import.meta.url));
const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing but our images (some come from the store's own origin), this one style, and a form that leads back here. */
export function pagePolicy(imageOrigin = ''): string {
  return [
    "default-src 'none'",
    `img-src 'self' ${imageOrigin}`.trim(),
    `style-src 'sha256-${styleHash}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** The page with its style, kept from search engines. */
export function layout({ title, head, body }: Page): Html {
  return page({
    title,
    head: html`<meta name="robots" content="noindex">
${head}
<style>${new Html(style)}</style>`,
    body: html`${body}
<footer>Shared with Lightwell</footer>`,
  });
}
