/** Routes for the months and the facets of a list of photos. */
import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { endpoints } from '../../identity/endpoints.ts';
import { readFacets } from './facets.ts';
import * as schema from './schema.ts';
import { readTimeline } from './timeline.ts';

export function groupRoutes(app: App, deps: Deps): void {
  const api = endpoints(app, 'Photos');

  api.get('/api/timeline', {
    auth: 'optional',
    operationId: 'getTimeline',
    summary: 'Get the months of a list',
    description:
      'Of the photos that GET /api/photos lists with the same filters. 503 for a query that takes too long.',
    querystring: schema.TimelineQuery,
    answer: schema.Timeline,
    refusals: ['unauthenticated', 'albumNotFound', 'albumForbidden'],
    handler: ({ viewer, query }) => readTimeline(deps, viewer, query),
  });

  api.get('/api/facets', {
    auth: 'optional',
    operationId: 'getFacets',
    summary: 'Get what the photos of a list have in common',
    description:
      'Of the photos that GET /api/photos lists with the same filters. 503 for a query that takes too long.',
    querystring: schema.FacetsQuery,
    answer: schema.Facets,
    refusals: ['unauthenticated', 'albumNotFound', 'albumForbidden'],
    handler: ({ viewer, query }) => readFacets(deps, viewer, query),
  });
}
