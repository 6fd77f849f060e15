/** API keys: make, list, delete. Only a signed-in person may: a key cannot make another one, or a stronger one. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import {
  dataAnswer,
  done,
  doneWith,
  failures,
  messageAnswer,
  ok,
  writeAnswer,
} from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { timeText } from '../../../platform/http/time.ts';
import { viewerOf } from '../access.ts';
import { deleteKey, type KeyRow, listKeys, makeKey } from '../keys/api-keys.ts';
import * as schema from '../keys/schema.ts';

const tags = ['API keys'];
const refusals = ['unauthenticated', 'badToken', 'forbidden'] as const;

export async function keyRoutes(app: App, deps: Deps): Promise<void> {
  app.get(
    '/api/auth/tokens',
    {
      config: { auth: 'session' },
      schema: {
        operationId: 'listApiKeys',
        tags,
        summary: 'List my API keys',
        description:
          'All of them, without pages. The keys themselves are not included: each is shown once, when it is created.',
        response: { 200: dataAnswer(schema.KeyList), ...failures(...refusals) },
      },
    },
    async (request) => ok({ list: (await listKeys(deps, viewerOf(request).id)).map(presentKey) }),
  );

  app.post(
    '/api/auth/tokens',
    {
      config: { auth: 'session' },
      schema: {
        operationId: 'createApiKey',
        tags,
        summary: 'Create an API key',
        description: 'For programs. Only this answer contains the key. Without `scopes` it may only read.',
        body: schema.MakeKey,
        response: { 200: writeAnswer(schema.MadeKey), ...failures('invalid', ...refusals) },
      },
    },
    async (request) => {
      const { name, scopes = ['read'], expires } = request.body;
      const wanted = { name, canWrite: scopes.includes('write'), days: expires };
      const { row, token } = await makeKey(deps, viewerOf(request), wanted);
      return doneWith('API key made', { ...presentKey(row), token });
    },
  );

  app.delete(
    '/api/auth/tokens/:id',
    {
      config: { auth: 'session' },
      schema: {
        operationId: 'deleteApiKey',
        tags,
        summary: 'Delete an API key',
        description: 'Requests with it are refused from now on.',
        params: idParams('API key'),
        response: { 200: messageAnswer, ...failures('invalid', 'notFound', ...refusals) },
      },
    },
    async (request) => {
      await deleteKey(deps, viewerOf(request).id, request.params.id);
      return done('API key deleted');
    },
  );
}

function presentKey(row: KeyRow) {
  const scopes: ('read' | 'write')[] = row.can_write === 1 ? ['read', 'write'] : ['read'];
  return {
    id: row.id,
    name: row.name,
    scopes,
    create_time: timeText(row.create_time),
    last_used_time: row.last_used_time === null ? '' : timeText(row.last_used_time),
    expire_time: row.expire_time === null ? '' : timeText(row.expire_time),
  };
}
