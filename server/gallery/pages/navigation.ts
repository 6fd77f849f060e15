/** Renders the main navigation as `web/navigation` does, so that no element moves when React takes over. */
import type { FastifyRequest } from 'fastify';
import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/http/language.ts';
import { pageMessages } from './messages.ts';
import { isCurrentEntry, listNavigationEntries, type NavigationEntry } from './navigation-entries.ts';
import type { PageRoute } from './pages.ts';
import type { PageData } from './read.ts';

/** Cookie that `web/navigation/collapse-button.tsx` sets when the user collapses the column. */
const collapsedCookiePattern = /(?:^|;\s*)lightwell_navigation=collapsed(?:;|$)/;

export const hasCollapsedNavigation = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  collapsedCookiePattern.test(headers.cookie ?? '');

/**
 * Renders the navigation, or nothing on pages without a frame: forms for visitors, and a photo that fills the window.
 * Without `data`, the user is unknown, and the navigation reserves its space.
 */
export function renderNavigation(
  route: PageRoute,
  data: PageData | undefined,
  language: Language,
): Html | undefined {
  const isMembersOnlyVisitor = data?.user === null && data.site.access === 'members';
  if (route.openToVisitors || data?.photo || isMembersOnlyVisitor) return;
  const texts = pageMessages[language];
  const renderEntry = (entry: NavigationEntry) => {
    const current = isCurrentEntry(entry, route.path) && html` aria-current="page"`;
    return html`<li><a class="navigation-entry" href="${entry.to}"${current}><span class="navigation-icon"></span><span>${texts[entry.text]}</span></a></li>`;
  };
  const entries = data ? listNavigationEntries(data.user) : [];
  return html`<nav class="navigation" aria-label="${texts.navigation}"><ul>${entries.map(renderEntry)}</ul></nav>`;
}
