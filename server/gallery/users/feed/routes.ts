/** The feed: what the users that the viewer follows have published. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { pageOf } from '../../../platform/http/envelope.ts';
import { endpoints } from '../../accounts/endpoints.ts';
import { PhotoItem } from '../../photos/schema.ts';
import { PageQuery } from '../schema.ts';
import { readFeed } from './feed.ts';

export async function feedRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'People');

  api.get('/api/feed', {
    auth: 'required',
    operationId: 'getFeed',
    summary: 'List my feed',
    description: 'Public photos of the users that the caller follows, newest first.',
    querystring: PageQuery,
    answer: pageOf(PhotoItem),
    handler: ({ viewer, query }) => readFeed(deps, viewer, query),
  });
}
