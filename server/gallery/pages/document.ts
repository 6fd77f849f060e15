/**
 * Renders the HTML document of a page: the frame, the first photos, and the data that its script needs to take over.
 * Documents depend on the viewer, so shared caches must not store them.
 */
import { renderAccentStyle } from '../../platform/http/accent.ts';
import { Html, html, type Html as Markup } from '../../platform/http/html.ts';
import type { Language } from '../../platform/http/language.ts';
import { type LinkCard, renderLinkCard } from '../../platform/http/link-card.ts';
import { renderColorMetaTags } from '../../platform/http/page.ts';
import type { Theme } from '../../platform/http/theme.ts';
import { renderAlbumHead } from './album-head.ts';
import type { BuiltAssets } from './built-assets.ts';
import { renderFirstPhotoRows } from './first-rows.ts';
import { manifestLinks } from './manifest.ts';
import { pageMessages } from './messages.ts';
import { renderNavigation } from './navigation.ts';
import { isNewUser } from './new-user.ts';
import { renderOldBrowserNotice } from './old-browser.ts';
import { listPageSources, notFoundRoute, type PageRoute } from './pages.ts';
import type { PageData } from './read.ts';
import { groupIntoSections, splitTotalIntoSections } from './sections.ts';
import { buildStageSizes, buildStageSrcset } from './stage-picture.ts';
import { renderVisitorHead } from './visitor-head.ts';

interface PageDocument {
  built: BuiltAssets;
  route: PageRoute;
  language: Language;
  /** The theme that the viewer chose; undefined follows the system. */
  theme: Theme | undefined;
  /** Whether the viewer collapsed the column of the navigation. */
  isNavigationCollapsed: boolean;
  /** Name of the gallery. */
  name: string;
  /**
   * Data of the page. If the data is undefined because every read failed, the script fetches everything from the API.
   */
  data: PageData | undefined;
  card: LinkCard | undefined;
}

export function renderDocument(page: PageDocument): { text: string; style: string } {
  const { built, route, language, theme, isNavigationCollapsed, name, data, card } = page;
  const shown = route === notFoundRoute ? renderEmptyPage(language) : renderContent(data, language);
  const style = cssLayerOrder + renderAccentStyle(data?.site.accent_color ?? '') + shown.style;
  const { modules, styles } = built.filesFor(listPageSources(route, language));
  const named = data?.photo?.title || data?.album?.name || card?.title || name;
  const title = named === name ? name : `${named} · ${name}`;
  const { text } = html`<!doctype html>
<html lang="${language}"${theme && html` data-theme="${theme}"`}${isNavigationCollapsed && html` data-navigation="collapsed"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
${renderColorMetaTags(theme)}
<meta name="application-name" content="${name}">
<title>${title}</title>
${card && renderLinkCard(card)}<link rel="icon" type="image/svg+xml" href="/icon.svg">
${shown.preload}${manifestLinks(built, language)}
<style>${new Html(style)}</style>
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}${modules.map((path) => html`<link rel="modulepreload" href="${path}" fetchpriority="low">\n`)}<script type="module" src="${built.entry}" fetchpriority="low"></script>
</head>
<body>
${renderOldBrowserNotice(language)}
<div id="app">${renderPageHeader(name, data, language)}${renderNavigation(route, data, language)}${shown.body}</div>
${data && html`<script type="application/json" id="data">${renderScriptData(data)}</script>`}
</body>
</html>
`;
  return { text, style };
}

/** The order of the CSS layers: rules of a later layer win, in whatever order the stylesheets arrive. */
const cssLayerOrder = '@layer tokens,base,parts;';

/** Renders the same markup as `web/bar.tsx`, so that no element moves when React takes over. */
function renderPageHeader(name: string, data: PageData | undefined, language: Language): Markup {
  const isSignedOut = data?.user === null;
  const hasSearch = !isSignedOut || data.site.access === 'public';
  return html`<header class="bar"><a class="brand" href="/">${renderLogo(data?.site.logo ?? '')}
<span>${name}</span></a><div class="bar-search">${hasSearch && html`<div class="search-field"></div>`}</div><div class="bar-actions">${isSignedOut && html`<a class="button quiet bar-sign-in" href="/sign-in">${pageMessages[language].signIn}</a>`}</div></header>`;
}

/** Renders the logo, or the standard icon, as `web/bar.tsx` does. */
function renderLogo(logo: string): Markup {
  if (logo === '') return html`<img src="/icon.svg" width="28" height="28" alt="">`;
  return html`<img class="logo" src="${logo}" height="28" alt="">`;
}

interface PageContent {
  body: Markup;
  style: string;
  /**
   * Preload link of the largest photo, for the document's head. Album pages have no preload link, because the head of
   * the album may push the photos out of the window.
   */
  preload?: Markup | undefined;
}

function renderEmptyPage(language: Language): PageContent {
  const { notFound, notFoundText, goToPhotos } = pageMessages[language];
  const body = html`<main class="notice"><h1>${notFound}</h1><p>${notFoundText}</p>
<p><a href="/">${goToPhotos}</a></p></main>`;
  return { body, style: '' };
}

function renderContent(
  { wall, photo, album, user, site }: Partial<PageData> = {},
  language: Language,
): PageContent {
  if (photo) {
    const body = html`<main class="stage"><img src="${photo.preview}" srcset="${buildStageSrcset(photo)}" sizes="${buildStageSizes(photo)}"
 width="${photo.width}" height="${photo.height}" fetchpriority="high" alt="${photo.title || pageMessages[language].photoBy(photo.user.nickname || photo.user.username)}"></main>`;
    return { body, style: '' };
  }
  const isWelcomed = !album && user && isNewUser(user);
  if (!wall || (wall.page.list.length === 0 && !album) || isWelcomed) {
    return {
      body: html`<noscript><p class="notice">${pageMessages[language].needsScript}</p></noscript>`,
      style: '',
    };
  }
  const { list: photos, pagination } = wall.page;
  const sections = wall.months ? groupIntoSections(wall.months) : splitTotalIntoSections(pagination.total);
  const hrefOf = (id: number) => `${album ? `/albums/${album.id}` : ''}/photos/${id}`;
  const { body, style, preload } = renderFirstPhotoRows({ sections, photos, language, hrefOf });
  const head = album
    ? renderAlbumHead(album, user?.id, language)
    : site && user === null
      ? renderVisitorHead(site, language)
      : html`<h1 class="unseen">${pageMessages[language].photos}</h1>`;
  return {
    body: html`<main class="wall">${head}${body}</main>`,
    style,
    preload: album ? undefined : preload,
  };
}

/** Escapes JSON for a script element, so that no tag or comment in the data can close the element. */
function renderScriptData(data: PageData): Markup {
  return new Html(JSON.stringify(data).replaceAll('<', '\\u003c'));
}
