/**
 * The notice of a browser that is too old for the script of the pages. The script is part of the document and old
 * syntax, so that every browser can run it, also one without modules.
 */
import { createHash } from 'node:crypto';
import { Html, html, type Html as Markup } from '../../platform/http/html.ts';
import type { Language } from '../../platform/http/language.ts';
import { pageMessages } from './messages.ts';

/**
 * The newest functions that the pages cannot do without: modules, popovers (Chrome 114, Safari 17, Firefox 125) and
 * sorted copies of arrays.
 */
const script =
  "(function(d){var e=d.getElementById('old-browser');" +
  "if('noModule' in d.createElement('script')&&'popover' in d.documentElement&&[].toSorted)return;" +
  "d.documentElement.setAttribute('data-old-browser','');e.hidden=false})(document)";

/** Source expression of the script for a Content-Security-Policy. */
export const oldBrowserScriptHash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

export function renderOldBrowserNotice(language: Language): Markup {
  return html`<p class="notice" id="old-browser" role="alert" hidden>${pageMessages[language].oldBrowser}</p>
<script>${new Html(script)}</script>`;
}
