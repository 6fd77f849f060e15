/** Route of the suggestions that a search box shows during typing. */
import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { endpoints } from '../identity/endpoints.ts';
import { Suggestions, SuggestQuery } from './schema.ts';
import { suggest } from './suggest.ts';

export function searchRoutes(app: App, deps: Deps): void {
  endpoints(app, 'Photos').get('/api/search/suggest', {
    auth: 'optional',
    operationId: 'suggest',
    summary: 'Suggest what to search for',
    description:
      'Tags, users, albums and cameras whose name contains the keyword, as far as the caller may see them.',
    querystring: SuggestQuery,
    answer: Suggestions,
    handler: ({ viewer, query }) => suggest(deps, viewer, query.keyword),
  });
}
