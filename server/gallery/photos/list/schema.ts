/** Schema of a page of photos. */
import type { Static } from 'typebox';
import { listPageSchema } from '../../../platform/http/envelope.ts';
import { Type } from '../../../platform/schema/type.ts';
import { SearchTerm } from '../query/schema.ts';
import { PhotoItem } from '../responses.ts';

/** A page of photos. An empty result of a query says what was searched. */
export const PhotoPage = listPageSchema(PhotoItem, {
  understood: Type.Optional(
    Type.Array(SearchTerm, {
      description: 'If `q` finds nothing: the terms that a photo had to match, in the order of the query',
    }),
  ),
  nearest: Type.Optional(
    Type.String({
      description:
        'If `q` finds nothing: a shorter query that finds photos in the same list, if there is one',
      examples: ['camera:canon'],
    }),
  ),
});
export type PhotoListPage = Static<typeof PhotoPage>;
