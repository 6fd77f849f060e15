/** The frame of every page behind a link: head, style, policy. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Content, Html, html } from '../../../platform/http/html.ts';

/** Within the page: it arrives whole, in one answer that nothing caches. */
const style = readFileSync(new URL('page.css', import.meta.url), 'utf8');
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

export interface Page {
  title: string;
  /** Further elements of the head. */
  head?: Content;
  body: Html;
}

export function layout({ title, head, body }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f7f5f2" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#161514" media="(prefers-color-scheme: dark)">
<title>${title}</title>
${head}
<style>${new Html(style)}</style>
</head>
<body>
${body}
<footer>Shared with Lightwell</footer>
</body>
</html>
`;
}
