/** Routes of the web gallery's documents and assets. If the pages are not built, `/` shows instructions. */

import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { errorCatalogue } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import { compressAnswers } from '../../platform/http/compression.ts';
import { logRequestError } from '../../platform/http/error-handler.ts';
import { languageOf } from '../../platform/http/language.ts';
import { requestedPath } from '../../platform/http/local-path.ts';
import type { SendNotFoundPage } from '../../platform/http/not-found.ts';
import { chosenTheme } from '../../platform/http/theme.ts';
import { addVary } from '../../platform/http/vary.ts';
import { webBuildFolder } from '../../platform/http/web-build.ts';
import { Type } from '../../platform/schema/type.ts';
import { defaultSiteName } from '../identity/site-settings.ts';
import { logoRoute } from '../site/logo.ts';
import { assetRoutes } from './assets.ts';
import { type BuiltAssets, readBuiltAssets } from './built-assets.ts';
import { renderDocument } from './document.ts';
import { manifestRoute } from './manifest.ts';
import { hasCollapsedNavigation } from './navigation.ts';
import { notFoundRoute, type PageRoute, pageRoutes } from './pages.ts';
import { contentSecurityPolicy } from './policy.ts';
import { choosePageStatus, createReadPageData, type PagePathIds, type PageReadResult } from './read.ts';
import { robotsRoutes } from './robots.ts';
import { serviceWorkerRoutes } from './service-worker.ts';
import { unbuiltPageRoutes } from './unbuilt.ts';

/**
 * Registers the pages. `folder` contains the output of `npm run build:web`. Returns the function that sends the page
 * for unknown paths.
 */
export async function galleryPageRoutes(
  app: App,
  deps: Deps,
  folder = webBuildFolder,
): Promise<SendNotFoundPage> {
  const icon = await readFile(new URL('icon.svg', import.meta.url));
  app.get('/icon.svg', { config: { openToVisitors: true }, schema: { hide: true } }, (_request, reply) =>
    reply.type('image/svg+xml').header('Cache-Control', 'max-age=3600').send(icon),
  );
  robotsRoutes(app, deps);
  logoRoute(app, deps);
  const built = readBuiltAssets(folder);
  if (!built) return unbuiltPageRoutes(app, deps);
  assetRoutes(app, built);
  manifestRoute(app, deps, built);
  serviceWorkerRoutes(app);
  const readPage = createReadPageData(deps, app.shared);
  const sendDocument = createSendDocument({ deps, built });
  await app.register(async (scope: App) => {
    compressAnswers(scope, deps);
    // A hook can refuse a request before the page's data is read. The response is then a page too.
    scope.setErrorHandler((error, request, reply) => {
      const route = pageRoutes.find(({ path }) => path === request.routeOptions.url) ?? notFoundRoute;
      const refused = choosePageStatus(logRequestError(error, request));
      return sendDocument(route, request, reply, { ...refused, data: undefined });
    });
    for (const route of pageRoutes) {
      const config = { openToVisitors: route.openToVisitors === true };
      scope.get(
        route.path,
        { config, schema: { hide: true, params: PageParams } },
        async (request, reply) => {
          const { id, photoId, name = '' } = request.params;
          const ids = {
            id: parseId(id),
            photoId: photoId === undefined ? undefined : parseId(photoId),
            name,
          };
          return sendDocument(route, request, reply, await readPage(request, route, ids));
        },
      );
    }
  });
  return async (request, reply) =>
    sendDocument(notFoundRoute, request, reply, await readPage(request, notFoundRoute, noPageIds));
}

const PageParams = Type.Object({
  id: Type.Optional(Type.String()),
  photoId: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
});

const noPageIds: PagePathIds = { id: 0, photoId: undefined, name: '' };

function createSendDocument({ deps, built }: { deps: Deps; built: BuiltAssets }) {
  const { imageOrigin } = deps.storage;

  return (
    route: PageRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    read: PageReadResult,
  ): FastifyReply => {
    const { status, retryAfter, data, card } = read;
    const isRefused = status === errorCatalogue.unauthenticated.status && !route.openToVisitors;
    if (isRefused) return leadToSignIn(request, reply);
    const language = languageOf(request);
    // If the page's data could not be read, the viewer's role is unknown, so an admin page is not hidden.
    const shown = route.isForAdmins && data && !data.user?.is_admin ? notFoundRoute : route;
    const { text, style } = renderDocument({
      built,
      route: shown,
      language,
      theme: chosenTheme(request),
      isNavigationCollapsed: hasCollapsedNavigation(request),
      name: data?.site.name ?? deps.config.siteName ?? defaultSiteName,
      data,
      card,
    });
    if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
    reply
      .code(shown === notFoundRoute && status === 200 ? 404 : status)
      .type('text/html; charset=utf-8')
      .headers({
        'Content-Security-Policy': contentSecurityPolicy(style, imageOrigin),
        'Cache-Control': 'private, no-cache',
        'Content-Language': language,
      });
    addVary(reply, 'Cookie, Accept-Language');
    return reply.send(Buffer.from(text));
  };
}

/** Redirects a visitor of a gallery for members to the sign-in page, which leads back to the requested page. */
function leadToSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const to = requestedPath(request);
  reply.header('Cache-Control', 'private, no-store');
  addVary(reply, 'Cookie');
  return reply.redirect(to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`, 303);
}

/** Parses an id, and returns 0 for text that is no id, because no row has the id 0. */
function parseId(text = ''): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
}
