/** Layout of every share page: head, styles and security policy. */
import { createHash } from 'node:crypto';
import { renderAccentStyle } from '../../../platform/http/accent.ts';
import { readFontRule } from '../../../platform/http/font.ts';
import { Html, type HtmlContent, html } from '../../../platform/http/html.ts';
import type { Language } from '../../../platform/http/language.ts';
import { joinPageStyles, renderPage } from '../../../platform/http/page.ts';
import type { Theme } from '../../../platform/http/theme.ts';
import type { SiteSettings } from '../../identity/site-settings.ts';
import { sharePageMessages } from './messages.ts';

/** Style of all share pages, in this order of files. The style is inlined, because the response is not cached. */
const styleFileNames = ['frame', 'photo', 'card', 'album', 'look'];
const sharedStyle =
  readFontRule() +
  joinPageStyles(...styleFileNames.map((name) => new URL(`styles/${name}.css`, import.meta.url)));

/** Language, theme and gallery name, which every share page needs. */
export interface SharePageFrame {
  language: Language;
  /** The theme that the viewer chose. */
  theme: Theme | undefined;
  /** Name, logo and color of the gallery. */
  site: Pick<SiteSettings, 'name' | 'logo' | 'accentColor'>;
}

interface PageContent {
  title: string;
  head?: HtmlContent;
  body: Html;
  /** CSS rules that only this page needs. */
  style?: string;
  /** Script that only this page has. The page is complete without it. */
  script?: string | undefined;
}

export interface SharePage {
  text: string;
  /** Returns the Content-Security-Policy. `imageOrigin` is the origin that image URLs redirect to. */
  policy(imageOrigin?: string): string;
}

/**
 * Renders a page with its style and excludes it from search engines. URLs are relative, because a proxy may add a
 * prefix.
 */
export function renderSharePage(
  { language, theme, site }: SharePageFrame,
  { title, head, body, style = '', script }: PageContent,
): SharePage {
  const accent = renderAccentStyle(site.accentColor);
  const { text } = renderPage({
    language,
    theme,
    title,
    head: html`<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="../icon.svg">
${head}
<style>${new Html(sharedStyle)}</style>
${accent && html`<style>${new Html(accent)}</style>`}${style && html`<style>${new Html(style)}</style>`}`,
    body: html`<header class="bar"><a class="brand" href="../">${renderLogo(site.logo)}
<span>${site.name}</span></a></header>
${body}
<footer>${sharePageMessages[language].sharedWith}</footer>${
      script &&
      html`
<script>${new Html(script)}</script>`
    }`,
  });
  return {
    text,
    policy: (imageOrigin) => sharePagePolicy([sharedStyle, accent, style], script, imageOrigin),
  };
}

function renderLogo(logo: string): Html {
  if (logo === '') return html`<img width="28" height="28" alt="" src="../icon.svg">`;
  return html`<img class="logo" height="28" alt="" src="..${logo}">`;
}

/**
 * Returns the policy of a share page. Allows the gallery's images (S3 serves some from another origin), the page's
 * styles and typeface, its script, and forms that post to the gallery.
 */
function sharePagePolicy(styles: string[], script: string | undefined, imageOrigin = ''): string {
  const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const hashes = styles.map(hashSource);
  return [
    "default-src 'none'",
    `img-src 'self' ${imageOrigin}`.trim(),
    `style-src ${hashes.join(' ')}`,
    "font-src 'self'",
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
