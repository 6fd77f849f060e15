/** The application: HTTP plumbing, then each module by name. Builds, never listens. */
import fastify from 'fastify';
import { adminRoutes } from './admin/routes.ts';
import { albumRoutes } from './albums/routes.ts';
import { keyRoutes } from './auth/key-routes.ts';
import { authRoutes } from './auth/routes.ts';
import { sessionRoutes } from './auth/session-routes.ts';
import { commentRoutes } from './comments/routes.ts';
import type { Deps } from './deps.ts';
import { measureSweep } from './files/metrics.ts';
import { fileRoutes } from './files/routes.ts';
import { demandAccess, guardApi } from './http/access.ts';
import type { App } from './http/app.ts';
import { limitClients, nameCallers } from './http/clients.ts';
import { endIdleConnectionsAtStop } from './http/closing.ts';
import { handleError } from './http/error-handler.ts';
import { jsonBodyLimit, parseJsonBodies } from './http/json-body.ts';
import { answerUnknown, noteKnownPaths } from './http/not-found.ts';
import { protect } from './http/security.ts';
import { compileSerializer } from './http/serialization.ts';
import { serverOptions } from './http/server-options.ts';
import { checkInputs } from './http/validation.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { documentationRoutes } from './operations/documentation.ts';
import { firstPageRoutes } from './operations/first-page.ts';
import { healthRoutes } from './operations/health.ts';
import { measureRequests } from './operations/metrics.ts';
import { logRequests } from './operations/request-log.ts';
import { batchRoutes } from './photos/batch-routes.ts';
import { photoRoutes } from './photos/routes.ts';
import { tagRoutes } from './photos/tag-routes.ts';
import { trashRoutes } from './photos/trash-routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { createLinks } from './shares/links.ts';
import { pageRoutes } from './shares/page-routes.ts';
import { shareRoutes } from './shares/routes.ts';
import { feedRoutes } from './users/feed-routes.ts';
import { userRoutes } from './users/routes.ts';
import { measureWebhooks } from './webhooks/metrics.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export interface AppOptions {
  /** Sees every route as it is added; the OpenAPI document is made that way. */
  observe?(app: App): Promise<void>;
}

export async function createApp(deps: Deps, options: AppOptions = {}): Promise<App> {
  const app: App = fastify({ ...serverOptions(deps), bodyLimit: jsonBodyLimit });
  app.setSerializerCompiler(compileSerializer as never);
  app.setErrorHandler(handleError);
  demandAccess(app);
  await options.observe?.(app);

  endIdleConnectionsAtStop(app);
  const knownPaths = noteKnownPaths(app);
  logRequests(app, deps);
  measureRequests(app, deps, [
    (registry) => measureWebhooks(registry, deps),
    (registry) => measureSweep(registry, deps),
  ]);
  limitClients(app, deps);
  // Images outnumber everything else many times over: none of the hooks below runs for them.
  await fileRoutes(app, deps);

  await app.register(async (scope: App) => {
    parseJsonBodies(scope);
    answerUnknown(scope, knownPaths);
    await protect(scope, deps);
    nameCallers(scope);
    checkInputs(scope, deps);
    await healthRoutes(scope, deps);
    await documentationRoutes(scope);
    await firstPageRoutes(scope, deps);
    const links = createLinks(deps);
    await pageRoutes(scope, deps, links);

    await scope.register(async (api: App) => {
      guardApi(api, deps);
      await api.register(async (unknown) => answerUnknown(unknown, knownPaths), { prefix: '/api' });
      await authRoutes(api, deps);
      await sessionRoutes(api, deps);
      await keyRoutes(api, deps);
      await photoRoutes(api, deps);
      await batchRoutes(api, deps);
      await tagRoutes(api, deps);
      await trashRoutes(api, deps);
      await albumRoutes(api, deps);
      await commentRoutes(api, deps);
      await notificationRoutes(api, deps);
      await reportRoutes(api, deps);
      await shareRoutes(api, deps, links);
      await userRoutes(api, deps);
      await feedRoutes(api, deps);
      await adminRoutes(api, deps);
      await webhookRoutes(api, deps);
    });
  });
  return app;
}
