/** HTML frame and common style of all pages. */
import { readFileSync } from 'node:fs';
import { pageBackgrounds } from '../schema/color.ts';
import { type Html, type HtmlContent, html } from './html.ts';
import type { Language } from './language.ts';

const baseStyle = readFileSync(new URL('base.css', import.meta.url), 'utf8');

/** Returns the common style, followed by a page's own files in the order given. */
export function joinPageStyles(...own: URL[]): string {
  return baseStyle + own.map((file) => readFileSync(file, 'utf8')).join('');
}

/** Meta elements for the colors of the browser window, by the user's color scheme. */
export const colorMetaTags = html`<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${pageBackgrounds.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${pageBackgrounds.dark}" media="(prefers-color-scheme: dark)">`;

export interface HtmlPage {
  /** Language of the page. The default is English. */
  language?: Language;
  title: string;
  /** Additional elements for the head of the page. */
  head?: HtmlContent;
  body: Html;
}

export function renderPage({ language = 'en', title, head, body }: HtmlPage): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
${colorMetaTags}
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
