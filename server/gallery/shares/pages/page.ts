/** The frame of every page behind a link: head, style, policy. */
import { createHash } from 'node:crypto';
import { type Content, Html, html } from '../../../platform/http/html.ts';
import type { Language } from '../../../platform/http/language.ts';
import { page, styleWith } from '../../../platform/http/page.ts';
import { words } from './words.ts';

/** The style of all these pages, in the order of its rules. It stands within the page: nothing caches the answer. */
const files = ['frame', 'photo', 'card', 'album', 'look'];
const common = styleWith(...files.map((name) => new URL(`styles/${name}.css`, import.meta.url)));

/** Around whatever is shown. */
export interface Frame {
  language: Language;
  /** What the gallery is called. */
  site: string;
}

interface Shown {
  title: string;
  head?: Content;
  body: Html;
  /** Rules of this page alone. */
  style?: string;
}

export interface SharePage {
  text: string;
  /** `imageOrigin`: where images are redirected to. */
  policy(imageOrigin?: string): string;
}

/** The page with its style, kept from search engines. Addresses are relative: a proxy may add a prefix. */
export function layout({ language, site }: Frame, { title, head, body, style = '' }: Shown): SharePage {
  const { text } = page({
    language,
    title,
    head: html`<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="../icon.svg">
${head}
<style>${new Html(common)}</style>
${style && html`<style>${new Html(style)}</style>`}`,
    body: html`<header class="bar"><a class="brand" href="../"><img width="28" height="28" alt="" src="../icon.svg">
<span>${site}</span></a></header>
${body}
<footer>${words[language].sharedWith}</footer>`,
  });
  return { text, policy: (imageOrigin) => policyOf([common, style], imageOrigin) };
}

/** Nothing but our images (some come from the store's own origin), these styles, and a form that leads back here. */
function policyOf(styles: string[], imageOrigin = ''): string {
  const hashes = styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  return [
    "default-src 'none'",
    `img-src 'self' ${imageOrigin}`.trim(),
    `style-src ${hashes.join(' ')}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
