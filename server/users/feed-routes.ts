/** The feed: what those whom one follows have published. */

import type { Deps } from '../deps.ts';
import { viewerOf } from '../http/access.ts';
import { createAnswerCache } from '../http/answer-cache.ts';
import type { App } from '../http/app.ts';
import { failures, ok, pageAnswer } from '../http/envelope.ts';
import { PhotoItem } from '../photos/schema.ts';
import { readFeed } from './feed.ts';
import { PageQuery } from './schema.ts';

export async function feedRoutes(app: App, deps: Deps): Promise<void> {
  const sendCached = createAnswerCache(deps);

  app.get(
    '/api/feed',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'getFeed',
        tags: ['People'],
        summary: 'Photos of the users one follows',
        description: 'Their public photos, the newest first.',
        querystring: PageQuery,
        response: {
          200: pageAnswer(PhotoItem),
          ...failures('invalid', 'unauthenticated', 'badToken'),
        },
      },
    },
    (request, reply) =>
      sendCached(request, reply, async () => ok(await readFeed(deps, viewerOf(request), request.query))),
  );
}
