/**
 * Builds the Fastify application from the shared HTTP plumbing and the routes of each module, without listening on a
 * port.
 */
import fastify from 'fastify';
import type { Deps } from './deps.ts';
import { secondFactorRoutes } from './gallery/accounts/factor/routes.ts';
import { apiKeyRoutes } from './gallery/accounts/keys/routes.ts';
import { oidcRoutes } from './gallery/accounts/oidc/routes.ts';
import { passkeyRoutes } from './gallery/accounts/passkeys/routes.ts';
import { recoveryRoutes } from './gallery/accounts/recovery/routes.ts';
import { authRoutes } from './gallery/accounts/routes.ts';
import { adminRoutes } from './gallery/admin/routes.ts';
import { albumRoutes } from './gallery/albums/routes.ts';
import { commentRoutes } from './gallery/comments/routes.ts';
import { registerSizeMetrics } from './gallery/delivery/make-size.ts';
import { imageFileRoutes } from './gallery/delivery/routes.ts';
import { createRefuseAnonymous, guardApi, requireAccessLevels } from './gallery/identity/guard.ts';
import { registerMailMetrics } from './gallery/mail/metrics.ts';
import { notificationRoutes } from './gallery/notifications/routes.ts';
import { galleryPageRoutes } from './gallery/pages/routes.ts';
import { registerRereadMetrics } from './gallery/photos/reread/run.ts';
import { photoRoutes } from './gallery/photos/routes.ts';
import { trashRoutes } from './gallery/photos/trash/routes.ts';
import { reportRoutes } from './gallery/reports/routes.ts';
import { searchRoutes } from './gallery/search/routes.ts';
import { createShareLinkServices } from './gallery/shares/links.ts';
import { sharePageRoutes } from './gallery/shares/pages/routes.ts';
import { shareRoutes } from './gallery/shares/routes.ts';
import { siteRoutes } from './gallery/site/routes.ts';
import { siteSettingsRoutes } from './gallery/site/settings-routes.ts';
import { registerUploadMetrics } from './gallery/uploads/expire.ts';
import { uploadRoutes } from './gallery/uploads/routes.ts';
import { userRoutes } from './gallery/users/routes.ts';
import { registerWebhookMetrics } from './gallery/webhooks/metrics.ts';
import { webhookRoutes } from './gallery/webhooks/routes.ts';
import type { App } from './platform/http/app.ts';
import { limitClientRequests, setRequestCallers } from './platform/http/clients.ts';
import { compressAnswers } from './platform/http/compression.ts';
import { handleError } from './platform/http/error-handler.ts';
import { jsonBodyLimit, parseJsonBodies } from './platform/http/json-body.ts';
import { collectKnownPaths, handleUnknownPaths } from './platform/http/not-found.ts';
import { detectUnnamedProxies } from './platform/http/proxy-watch.ts';
import { addSecurityHeaders } from './platform/http/security.ts';
import {
  drainAtStop,
  handleEarlyResponses,
  proxyTest,
  serverOptions,
} from './platform/http/server-options.ts';
import {
  decorateWithSharedLimits,
  openSharedLimits,
  type SharedLimits,
} from './platform/http/shared-limits.ts';
import { checkInputs } from './platform/http/validation.ts';
import { documentationRoutes } from './platform/operations/documentation.ts';
import { healthRoutes } from './platform/operations/health.ts';
import { registerMachineMetrics } from './platform/operations/machine-metrics.ts';
import { registerRequestMetrics } from './platform/operations/metrics.ts';
import { logRequests } from './platform/operations/request-log.ts';
import { exportRoutes } from './tools/exchange/routes.ts';
import { registerMaintenanceMetrics } from './tools/maintenance/maintenance.ts';

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
  decorateWithSharedLimits(app, shared);
  app.setErrorHandler(handleError);
  requireAccessLevels(app);
  await options.observe?.(app);

  drainAtStop(app);
  const knownPaths = collectKnownPaths(app);
  logRequests(app, deps);
  registerRequestMetrics(app, deps, [
    (registry) => registerWebhookMetrics(registry, deps),
    (registry) => registerMailMetrics(registry, deps),
    (registry) => registerUploadMetrics(registry, deps),
    (registry) => registerMaintenanceMetrics(registry, deps),
    (registry) => registerRereadMetrics(registry, deps),
    (registry) => registerSizeMetrics(registry, deps),
    (registry) => registerMachineMetrics(registry, { ...deps, redis: shared.redis }),
  ]);
  limitClientRequests(app, deps.config);
  // Image requests far outnumber all others, so the hooks registered below must not run for them.
  await imageFileRoutes(app, deps);

  await app.register(async (scope: App) => {
    handleEarlyResponses(scope);
    parseJsonBodies(scope);
    detectUnnamedProxies(scope, { isProxy: proxyTest(deps.config.trustProxy), log: deps.log });
    await addSecurityHeaders(scope, deps.config, knownPaths);
    setRequestCallers(scope);
    checkInputs(scope, { clock: deps.clock, allowPrivateTargets: deps.config.webhookAllowPrivate });
    await healthRoutes(scope, { ...deps, isStopping: () => shared.stop.hasBegun });
    await documentationRoutes(scope);
    const sendPage = await galleryPageRoutes(scope, deps, options.pagesFolder);
    handleUnknownPaths(scope, knownPaths, { sendPage, refuseVisitor: createRefuseAnonymous(deps) });
    const links = createShareLinkServices(deps, scope.shared);
    await sharePageRoutes(scope, deps, links);

    await scope.register(async (api: App) => {
      guardApi(api, deps);
      compressAnswers(api, deps);
      await api.register(async (unknown) => handleUnknownPaths(unknown, knownPaths), { prefix: '/api' });
      await authRoutes(api, deps);
      await recoveryRoutes(api, deps);
      await secondFactorRoutes(api, deps);
      await apiKeyRoutes(api, deps);
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
      await siteSettingsRoutes(api, deps);
      await exportRoutes(api, deps);
    });
  });
  return app;
}
