/** Route of the suggestions that a search box shows during typing. */
import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { SearchSuggestions, SearchSuggestionsQuery } from './schema.ts';
import { findSearchSuggestions } from './suggest.ts';

export function searchRoutes(app: App, deps: Deps): void {
  createEndpointMethods(app, 'Photos').get('/api/search/suggest', {
    auth: 'optional',
    operationId: 'suggest',
    summary: 'Suggest search terms',
    description:
      'Returns tags, users, albums and cameras whose name contains the keyword and that the caller ' +
      'can see.',
    querystring: SearchSuggestionsQuery,
    answer: SearchSuggestions,
    handler: ({ viewer, query }) => findSearchSuggestions(deps, viewer, query.keyword),
  });
}
