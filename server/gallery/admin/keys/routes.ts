/** Defines the routes by which admins see API keys and set their rate limits. */
import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { resultResponse } from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { listApiKeys } from '../../accounts/keys/api-keys.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { readUser } from '../users/users.ts';
import { presentAdminKey, setKeyRateLimit } from './rate-limit.ts';
import { AdminApiKey, AdminApiKeyList, AdminApiKeyUpdate } from './schema.ts';

export async function adminKeyRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Administration');

  api.get('/api/admin/users/:id/tokens', {
    auth: 'admin-session',
    operationId: 'adminListApiKeys',
    summary: 'List the API keys of an account',
    description: 'Returns all keys, newest first, without the keys themselves.',
    params: idParams('user'),
    answer: AdminApiKeyList,
    refusals: ['userNotFound'],
    handler: async ({ params }) => {
      await readUser(deps, params.id);
      return { list: (await listApiKeys(deps, params.id)).map(presentAdminKey) };
    },
  });

  api.put('/api/admin/tokens/:id', {
    auth: 'admin-session',
    operationId: 'adminUpdateApiKey',
    summary: 'Set the rate limit of an API key',
    description:
      'For a back end that serves many visitors with one key. The limit applies from the next call. It replaces ' +
      'the limit of the account for this key. Resumable uploads have a limit of their own, unless `rate_limit` is 0.',
    params: idParams('API key'),
    body: AdminApiKeyUpdate,
    answer: AdminApiKey,
    refusals: ['notFound'],
    handler: async ({ viewer, params, body }) => {
      const row = await setKeyRateLimit(deps, viewer, params.id, body.rate_limit);
      return resultResponse('API key saved', presentAdminKey(row));
    },
  });
}
