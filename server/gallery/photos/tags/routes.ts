/** The tags in use. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { pageOf } from '../../../platform/http/envelope.ts';
import { pageQuery } from '../../../platform/http/pagination.ts';
import { textField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { endpoints } from '../../accounts/endpoints.ts';
import { maxTagLength } from '../../library/tags.ts';
import { listTags } from './list.ts';

const TagsQuery = pageQuery({
  keyword: Type.Optional(textField(maxTagLength, 'Substring of the tag, without regard to case')),
});

const Tag = Type.Object(
  {
    name: Type.String({ examples: ['alps'] }),
    count: Type.Integer({ minimum: 1, description: 'Photos with this tag that the caller may see' }),
  },
  { title: 'Tag' },
);

export async function tagRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Photos');

  api.get('/api/tags', {
    auth: 'optional',
    operationId: 'listTags',
    summary: 'List tags',
    description: 'The most used first; counts only photos that the caller may see.',
    querystring: TagsQuery,
    answer: pageOf(Tag),
    handler: ({ viewer, query }) => listTags(deps, viewer, query),
  });
}
