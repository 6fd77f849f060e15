/** The feed: what those whom one follows have published. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { failures, ok, pageAnswer } from '../../../platform/http/envelope.ts';
import { viewerOf } from '../../accounts/access.ts';
import { PhotoItem } from '../../photos/schema.ts';
import { PageQuery } from '../schema.ts';
import { readFeed } from './feed.ts';

export async function feedRoutes(app: App, deps: Deps): Promise<void> {
  app.get(
    '/api/feed',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'getFeed',
        tags: ['People'],
        summary: 'List my feed',
        description: 'Public photos of the users that the caller follows, newest first.',
        querystring: PageQuery,
        response: {
          200: pageAnswer(PhotoItem),
          ...failures('invalid', 'unauthenticated', 'badToken'),
        },
      },
    },
    async (request) => ok(await readFeed(deps, viewerOf(request), request.query)),
  );
}
