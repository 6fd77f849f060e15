/** Renders the main navigation as `web/navigation` does, so that no element moves when React takes over. */
import { createHash } from 'node:crypto';
import { Html, html, type Html as Markup } from '../../platform/http/html.ts';
import type { Language } from '../../platform/http/language.ts';
import { pageMessages } from './messages.ts';
import { isCurrentEntry, listNavigationEntries, type NavigationEntry } from './navigation-entries.ts';
import type { PageRoute } from './pages.ts';
import type { PageData } from './read.ts';

/** Marks a collapsed column before the first paint. `web/navigation/collapse-button.tsx` stores the user's choice. */
const script =
  "try{if(localStorage.getItem('lightwell-navigation')==='collapsed')" +
  "document.documentElement.dataset.navigation='collapsed'}catch(e){}";

/** Source expression of the script for a Content-Security-Policy. */
export const navigationScriptHash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/**
 * Renders the navigation, or nothing on pages without a frame: forms for visitors, and a photo that fills the window.
 * Without `data`, the user is unknown, and the navigation reserves its space.
 */
export function renderNavigation(
  route: PageRoute,
  data: PageData | undefined,
  language: Language,
): Markup | undefined {
  const isMembersOnlyVisitor = data?.user === null && data.site.access === 'members';
  if (route.openToVisitors || data?.photo || isMembersOnlyVisitor) return;
  const texts = pageMessages[language];
  const renderEntry = (entry: NavigationEntry) => {
    const current = isCurrentEntry(entry, route.path) && html` aria-current="page"`;
    return html`<li><a class="navigation-entry" href="${entry.to}"${current}><span class="navigation-icon"></span><span>${texts[entry.text]}</span></a></li>`;
  };
  const entries = data ? listNavigationEntries(data.user !== null) : [];
  return html`<script>${new Html(script)}</script><nav class="navigation" aria-label="${texts.navigation}"><ul>${entries.map(renderEntry)}</ul></nav>`;
}
