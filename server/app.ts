/**
 * Builds the Fastify application from the shared HTTP plumbing and the routes of each module, without listening on a
 * port.
 */
import fastify from 'fastify';
import type { Deps } from './deps.ts';
import { factorRoutes } from './gallery/accounts/factor/routes.ts';
import { keyRoutes } from './gallery/accounts/keys/routes.ts';
import { oidcRoutes } from './gallery/accounts/oidc/routes.ts';
import { passkeyRoutes } from './gallery/accounts/passkeys/routes.ts';
import { recoveryRoutes } from './gallery/accounts/recovery/routes.ts';
import { authRoutes } from './gallery/accounts/routes.ts';
import { adminRoutes } from './gallery/admin/routes.ts';
import { albumRoutes } from './gallery/albums/routes.ts';
import { commentRoutes } from './gallery/comments/routes.ts';
import { measureSizes } from './gallery/delivery/make-size.ts';
import { fileRoutes } from './gallery/delivery/routes.ts';
import { createRefuseAnonymous, guardApi, requireAccessLevels } from './gallery/identity/guard.ts';
import { measureMail } from './gallery/mail/metrics.ts';
import { notificationRoutes } from './gallery/notifications/routes.ts';
import { galleryPages } from './gallery/pages/routes.ts';
import { photoRoutes } from './gallery/photos/routes.ts';
import { trashRoutes } from './gallery/photos/trash/routes.ts';
import { reportRoutes } from './gallery/reports/routes.ts';
import { searchRoutes } from './gallery/search/routes.ts';
import { createLinkServices } from './gallery/shares/links.ts';
import { pageRoutes } from './gallery/shares/pages/routes.ts';
import { shareRoutes } from './gallery/shares/routes.ts';
import { siteRoutes } from './gallery/site/routes.ts';
import { measureUploads } from './gallery/uploads/expire.ts';
import { uploadRoutes } from './gallery/uploads/routes.ts';
import { userRoutes } from './gallery/users/routes.ts';
import { measureWebhooks } from './gallery/webhooks/metrics.ts';
import { webhookRoutes } from './gallery/webhooks/routes.ts';
import type { App } from './platform/http/app.ts';
import { limitClients, nameCallers } from './platform/http/clients.ts';
import { compressAnswers } from './platform/http/compression.ts';
import { handleError } from './platform/http/error-handler.ts';
import { jsonBodyLimit, parseJsonBodies } from './platform/http/json-body.ts';
import { answerUnknown, collectKnownPaths } from './platform/http/not-found.ts';
import { watchForProxies } from './platform/http/proxy-watch.ts';
import { addSecurityHeaders } from './platform/http/security.ts';
import { drainAtStop, proxyTest, serverOptions, watchEarlyAnswers } from './platform/http/server-options.ts';
import { decorateWithLimits, openSharedLimits, type SharedLimits } from './platform/http/shared-limits.ts';
import { checkInputs } from './platform/http/validation.ts';
import { documentationRoutes } from './platform/operations/documentation.ts';
import { healthRoutes } from './platform/operations/health.ts';
import { measureRequests } from './platform/operations/metrics.ts';
import { logRequests } from './platform/operations/request-log.ts';
import { exportRoutes } from './tools/exchange/routes.ts';
import { measureMaintenance } from './tools/maintenance/maintenance.ts';

export interface AppOptions {
  /** Called before any route is added, so that a caller can collect all routes for the OpenAPI document. */
  observe?(app: App): Promise<void>;
  /** Replaces parts of the shared state, e.g. with lower limits for a test. */
  shared?: Partial<SharedLimits>;
  /** Folder with the built web pages. The default is `dist/web`. */
  pagesFolder?: string;
}

export async function createApp(deps: Deps, options: AppOptions = {}): Promise<App> {
  const shared = {
    ...(await openSharedLimits({ ...deps.config, secret: deps.secret, log: deps.log })),
    ...options.shared,
  };
  const { connections } = shared;
  const app: App = fastify({
    ...serverOptions({ ...deps.config, connections, log: deps.log }),
    bodyLimit: jsonBodyLimit,
  });
  decorateWithLimits(app, shared);
  app.setErrorHandler(handleError);
  requireAccessLevels(app);
  await options.observe?.(app);

  drainAtStop(app);
  const knownPaths = collectKnownPaths(app);
  logRequests(app, deps);
  measureRequests(app, deps, [
    (registry) => measureWebhooks(registry, deps),
    (registry) => measureMail(registry, deps),
    (registry) => measureUploads(registry, deps),
    (registry) => measureMaintenance(registry, deps),
    (registry) => measureSizes(registry, deps),
  ]);
  limitClients(app, deps.config);
  // Image requests far outnumber all others, so the hooks registered below must not run for them.
  await fileRoutes(app, deps);

  await app.register(async (scope: App) => {
    watchEarlyAnswers(scope);
    parseJsonBodies(scope);
    watchForProxies(scope, { isProxy: proxyTest(deps.config.trustProxy), log: deps.log });
    await addSecurityHeaders(scope, deps.config);
    nameCallers(scope);
    checkInputs(scope, { clock: deps.clock, allowPrivateTargets: deps.config.webhookAllowPrivate });
    await healthRoutes(scope, deps);
    await documentationRoutes(scope);
    const sendPage = await galleryPages(scope, deps, options.pagesFolder);
    answerUnknown(scope, knownPaths, { sendPage, refuseVisitor: createRefuseAnonymous(deps) });
    const links = createLinkServices(deps, scope.shared);
    await pageRoutes(scope, deps, links);

    await scope.register(async (api: App) => {
      guardApi(api, deps);
      compressAnswers(api, deps);
      await api.register(async (unknown) => answerUnknown(unknown, knownPaths), { prefix: '/api' });
      await authRoutes(api, deps);
      await recoveryRoutes(api, deps);
      await factorRoutes(api, deps);
      await keyRoutes(api, deps);
      await passkeyRoutes(api, deps);
      await oidcRoutes(api, deps);
      await photoRoutes(api, deps);
      await trashRoutes(api, deps);
      await uploadRoutes(api, deps);
      await albumRoutes(api, deps);
      await commentRoutes(api, deps);
      await notificationRoutes(api, deps);
      await reportRoutes(api, deps);
      await shareRoutes(api, deps, links);
      await userRoutes(api, deps);
      searchRoutes(api, deps);
      await adminRoutes(api, deps);
      await webhookRoutes(api, deps);
      await siteRoutes(api, deps);
      await exportRoutes(api, deps);
    });
  });
  return app;
}
