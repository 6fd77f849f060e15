/** Schemas of a search query and of the terms in it. */
import type { Static } from 'typebox';
import { textField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { findSearchQueryProblem, maxQueryLength } from './parse.ts';

/** Search query. The rule refuses invalid queries here, so that later parsing always succeeds. */
export const searchQueryField = Type.String({
  ...textField(
    maxQueryLength,
    'Words and "phrases", and conditions. A word matches title, description, tags, camera, lens, owner, albums ' +
      'that the caller can see, and as a year or a month the time of capture; the file name of own photos only. Texts: `tag:`, `by:` ' +
      '(username), `camera:` and `lens:` (part of the name). Albums: `album:` (id), with at most ' +
      'three smart albums. Numbers: `iso:>=800`, `aperture:<=2.8`, `focal:35..85` (mm), ' +
      '`size:>10MB`, `rating:>=3` (own photos; 0: none). Days: `taken:2024`, `taken:2024-05..2024-08`, `added:`. Kinds: `is:` (public, ' +
      'members, private, liked, favorite, edited, animated), `shape:` (landscape, portrait, square, ' +
      'panorama), `type:` (jpeg, png, gif, webp, avif, tiff, heic). Ranges: `800`, `>=800`, ' +
      '`..800`, `100..800`. A photo must match all of them. `OR` in capitals matches either side, ' +
      'brackets group, and `-` excludes what follows. Put values with spaces in quotation marks. ' +
      'Typographic and full-width punctuation counts as plain. Text that is no operator and no field is a word',
  ),
  rule: findSearchQueryProblem,
  examples: ['sunset camera:canon iso:>=800 -tag:sea'],
});

export const SearchTerm = Type.Object(
  {
    q: Type.String({ description: 'The term as a query of its own', examples: ['-camera:canon'] }),
    field: Type.String({
      description: '`words`, the name of a field, or `group` for a part with OR or brackets',
      examples: ['camera'],
    }),
    value: Type.String({ description: 'Word, phrase, value of the field, or group', examples: ['canon'] }),
    is_excluded: Type.Boolean({ description: 'Whether the term excludes matching photos' }),
    taken: Type.Optional(
      Type.String({
        description:
          'Time of capture that the word also means: `2019`, `2019-05`, `2019-05-17`, `1990..1999`, or ' +
          '`--05` for a month of any year',
        examples: ['2019'],
      }),
    ),
  },
  { title: 'SearchTerm' },
);
export type SearchTerm = Static<typeof SearchTerm>;
