/**
 * Defines the routes that create, list and delete API keys. The routes need a session, so a key cannot create
 * another or a stronger key.
 */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { messageResponse, resultResponse } from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { createApiKey, deleteApiKey, listApiKeys, presentKey } from './api-keys.ts';
import * as schema from './schema.ts';

export async function apiKeyRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'API keys');

  api.get('/api/auth/tokens', {
    auth: 'session',
    operationId: 'listApiKeys',
    summary: 'List my API keys',
    description: 'Returns all keys, without pages. A key itself is shown only once, when it is created.',
    answer: schema.ApiKeyList,
    refusals: ['forbidden'],
    handler: async ({ viewer }) => ({ list: (await listApiKeys(deps, viewer.id)).map(presentKey) }),
  });

  api.post('/api/auth/tokens', {
    auth: 'session',
    config: { attempt: { action: 'key.create' } },
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Creates a key for a program. Only this response contains the key. A key without `scopes` can ' +
      'only read.',
    body: schema.NewApiKey,
    answer: schema.CreatedApiKey,
    refusals: ['forbidden'],
    handler: async (request) => {
      const { name, scopes = ['read'], expires } = request.body;
      const wanted = { name, canWrite: scopes.includes('write'), days: expires };
      const { row, token } = await createApiKey(deps, request.viewer, wanted);
      return resultResponse('API key created', { ...presentKey(row), token });
    },
  });

  api.delete('/api/auth/tokens/:id', {
    auth: 'session',
    config: { attempt: { action: 'key.delete' } },
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'Requests with the key are refused immediately.',
    params: idParams('API key'),
    refusals: ['notFound', 'forbidden'],
    handler: async (request) => {
      await deleteApiKey(deps, request.viewer.id, request.params.id);
      return messageResponse('API key deleted');
    },
  });
}
