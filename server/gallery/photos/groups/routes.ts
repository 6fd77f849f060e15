/** Routes for the months and the facets of a list of photos. */
import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { readFacets } from './facets.ts';
import * as schema from './schema.ts';
import { readTimeline } from './timeline.ts';

export function groupRoutes(app: App, deps: Deps): void {
  const api = createEndpointMethods(app, 'Photos');

  api.get('/api/timeline', {
    auth: 'optional',
    operationId: 'getTimeline',
    summary: 'Count the photos of a list by month',
    description:
      'Counts the photos that GET /api/photos lists with the same filters. Refused with 503 if the ' +
      'query takes too long.',
    querystring: schema.TimelineQuery,
    answer: schema.Timeline,
    refusals: ['unauthenticated', 'albumNotFound', 'albumForbidden'],
    handler: ({ viewer, query }) => readTimeline(deps, viewer, query),
  });

  api.get('/api/facets', {
    auth: 'optional',
    operationId: 'getFacets',
    summary: 'Count the photos of a list by tag, camera, lens, year and user',
    description:
      'Counts the photos that GET /api/photos lists with the same filters. Refused with 503 if the ' +
      'query takes too long.',
    querystring: schema.FacetsQuery,
    answer: schema.PhotoFacets,
    refusals: ['unauthenticated', 'albumNotFound', 'albumForbidden'],
    handler: ({ viewer, query }) => readFacets(deps, viewer, query),
  });
}
