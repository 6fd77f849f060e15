/** Schemas of the requests and responses for the months and facets of a list. */
import type { Static } from 'typebox';
import { choiceField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { User } from '../../identity/user-schema.ts';
import { PhotoListQuery } from '../schema.ts';

const { page: _, limit: __, sort: ___, order: ____, around: _____, ...filters } = PhotoListQuery.properties;

export const FacetsQuery = Type.Object(filters);
export type FacetsQuery = Static<typeof FacetsQuery>;

export const TimelineQuery = Type.Object({
  by: choiceField(['taken_time', 'create_time'], {
    default: 'taken_time',
    description: 'Months of capture (`taken_time`) or of upload (`create_time`), in UTC',
  }),
  ...filters,
});
export type TimelineQuery = Static<typeof TimelineQuery>;

const count = Type.Integer({ minimum: 1, description: 'Number of photos that the caller can see' });

const Month = Type.Object(
  {
    month: Type.String({ pattern: '^\\d{4}-\\d{2}$', examples: ['2026-11'] }),
    count,
    ratio: Type.Number({
      minimum: 0,
      description:
        'Sum of width / height of its photos, from which a page can estimate the height of the month',
      examples: [61.337],
    }),
  },
  { title: 'Month' },
);

export const Timeline = Type.Object(
  { list: Type.Array(Month, { description: 'Newest first' }) },
  { title: 'Timeline' },
);
export type Timeline = Static<typeof Timeline>;

export const NamedCount = Type.Object(
  { name: Type.String({ examples: ['alps'] }), count },
  { title: 'NamedCount' },
);

const topTwenty = 'The twenty with the most photos';

export const PhotoFacets = Type.Object(
  {
    tags: Type.Array(NamedCount, { description: topTwenty }),
    cameras: Type.Array(NamedCount, { description: topTwenty }),
    lenses: Type.Array(NamedCount, { description: topTwenty }),
    years: Type.Array(Type.Object({ year: Type.Integer({ examples: [2026] }), count }), {
      description: `Years of capture. ${topTwenty}`,
    }),
    users: Type.Array(Type.Object({ user: User, count }), { description: `Owners. ${topTwenty}` }),
  },
  { title: 'Facets' },
);
export type PhotoFacets = Static<typeof PhotoFacets>;
