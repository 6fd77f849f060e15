/** Schemas of the request and response of search suggestions. */
import type { Static } from 'typebox';
import { textField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { User } from '../identity/user-schema.ts';
import { maxTagLength } from '../library/tags.ts';
import { NamedCount } from '../photos/groups/schema.ts';
import { AlbumName } from '../photos/schema.ts';

export const SuggestQuery = Type.Object({
  keyword: textField(
    maxTagLength,
    'Substring of what is suggested, without regard to case; empty: nothing is',
  ),
});

export const Suggestions = Type.Object(
  {
    tags: Type.Array(NamedCount, { description: 'The most used' }),
    users: Type.Array(User),
    albums: Type.Array(AlbumName, { description: 'The newest' }),
    cameras: Type.Array(NamedCount, { description: 'The most used' }),
  },
  { title: 'Suggestions', description: 'Five of each at most' },
);
export type Suggestions = Static<typeof Suggestions>;
