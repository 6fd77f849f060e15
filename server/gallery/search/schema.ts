/** Schemas of the request and response of search suggestions. */
import type { Static } from 'typebox';
import { textField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { User } from '../identity/user-schema.ts';
import { maxTagLength } from '../library/tags.ts';
import { NamedCount } from '../photos/groups/schema.ts';
import { AlbumName } from '../photos/schema.ts';

export const SearchSuggestionsQuery = Type.Object({
  keyword: textField(
    maxTagLength,
    'Substring of the names to suggest, without regard to case; no suggestions if empty',
  ),
});

export const SearchSuggestions = Type.Object(
  {
    tags: Type.Array(NamedCount, { description: 'Most used tags first' }),
    users: Type.Array(User),
    albums: Type.Array(AlbumName, { description: 'Newest albums first' }),
    cameras: Type.Array(NamedCount, { description: 'Most used cameras first' }),
  },
  { title: 'Suggestions', description: 'At most five of each' },
);
export type SearchSuggestions = Static<typeof SearchSuggestions>;
