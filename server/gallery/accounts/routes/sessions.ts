/** Where one is signed in, and signing a place out. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { done, pageOf } from '../../../platform/http/envelope.ts';
import { pageQuery } from '../../../platform/http/pagination.ts';
import { idParams, timeField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { endpoints } from '../endpoints.ts';
import { endOwnSession, listSessions } from '../sessions/sessions.ts';

const Session = Type.Object(
  {
    id: Type.Integer(),
    user_agent: Type.String({
      description: 'What the client called itself when it signed in',
      examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    }),
    ip: Type.String({ description: 'Where it signed in from', examples: ['203.0.113.7'] }),
    is_current: Type.Boolean({ description: 'Whether this request was made in it' }),
    create_time: timeField('Signed in'),
    last_used_time: timeField('Last used, to a quarter of an hour'),
    expire_time: timeField('When it expires'),
  },
  { title: 'Session' },
);

export async function sessionRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Accounts');

  api.get('/api/auth/sessions', {
    auth: 'session',
    operationId: 'listSessions',
    summary: 'List my sessions',
    description: 'Newest first.',
    querystring: pageQuery({}),
    answer: pageOf(Session),
    handler: ({ viewer, query }) => listSessions(deps, viewer, query),
  });

  api.delete('/api/auth/sessions/:id', {
    auth: 'session',
    operationId: 'endSession',
    summary: 'Revoke a session',
    description: 'Its token ends at once. The current session can be revoked, too.',
    params: idParams('session'),
    refusals: ['notFound'],
    handler: async (request) => {
      await endOwnSession(deps, request.viewer, request.params.id);
      return done('Signed out there');
    },
  });
}
