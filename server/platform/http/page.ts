/** HTML frame and common style of all pages. */
import { readFileSync } from 'node:fs';
import { pageBackgrounds } from '../schema/color.ts';
import { type Html, type HtmlContent, html } from './html.ts';
import type { Language } from './language.ts';
import { renderThemeRules, type Theme } from './theme.ts';

const baseStyle = renderColors() + readFileSync(new URL('base.css', import.meta.url), 'utf8');

/** Returns rules with the colors of tokens.css. */
function renderColors(): string {
  const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
  const colors = tokens.split('\n').flatMap((line) => {
    const [name = '', values] = line.trim().split(': light-dark(');
    return values === undefined ? [] : [[name, ...values.replace(');', '').split(', ')]];
  });
  const renderTheme = (at: 1 | 2) => colors.map((color) => `${color[0]}:${color[at]}`).join(';');
  return renderThemeRules(renderTheme(1), renderTheme(2));
}

/** Returns the common style, followed by a page's own files in the order given. */
export function joinPageStyles(...own: URL[]): string {
  return baseStyle + own.map((file) => readFileSync(file, 'utf8')).join('');
}

/**
 * Renders the meta elements for the colors of the browser window. `theme` is the user's choice; without it, the colors
 * follow the system.
 */
export function renderColorMetaTags(theme?: Theme): Html {
  const [light, dark] = (['light', 'dark'] as const).map((scheme) => renderWindowColor(scheme, theme));
  return html`<meta name="color-scheme" content="${theme ?? 'light dark'}">
${light}
${dark}`;
}

function renderWindowColor(scheme: Theme, theme: Theme | undefined): Html {
  const color = pageBackgrounds[scheme];
  return html`<meta data-scheme="${scheme}" name="theme-color" content="${color}" media="${colorMedia(scheme, theme)}">`;
}

function colorMedia(scheme: Theme, theme: Theme | undefined): string {
  if (theme === undefined) return `(prefers-color-scheme: ${scheme})`;
  return theme === scheme ? 'all' : 'not all';
}

export interface HtmlPage {
  /** Language of the page. The default is English. */
  language?: Language;
  /** The theme that the viewer chose. Without it, the page follows the system. */
  theme?: Theme | undefined;
  title: string;
  /** Additional elements for the head of the page. */
  head?: HtmlContent;
  body: Html;
}

export function renderPage({ language = 'en', theme, title, head, body }: HtmlPage): Html {
  return html`<!doctype html>
<html lang="${language}"${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
${renderColorMetaTags(theme)}
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
