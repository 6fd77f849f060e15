/** Builds the options of a focused search box without text: recent searches, years, cameras, people, tags and albums. */
import type { Album, Facets } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { searchHref } from './address.ts';
import { addTypedFilters, formatSearchCondition, type SearchQueryFilter } from './parts.ts';
import type { SuggestionGroup, SuggestionOption } from './suggestions.ts';

export interface SearchStarts {
  recent: string[];
  facets: Facets | undefined;
  albums: Pick<Album, 'id' | 'name'>[];
}

/** Maximum number of options of one kind. */
const maxOptions = 4;

export function groupSearchStarts(filters: SearchQueryFilter[], starts: SearchStarts): SuggestionGroup[] {
  const { years = [], cameras = [], users = [], tags = [] } = starts.facets ?? {};
  const createOption = (
    kind: SuggestionOption['kind'],
    text: string,
    { condition, ...more }: { condition: string } & Partial<SuggestionOption>,
  ): SuggestionOption => ({ kind, text, href: searchHref(addTypedFilters(filters, condition)), ...more });
  const named = (kind: 'camera' | 'tag', values: { name: string; count: number }[]) =>
    values.map(({ name, count }) =>
      createOption(kind, name, { condition: formatSearchCondition(kind, name), count }),
    );
  const newestYears = years.toSorted((one, other) => other.year - one.year);
  const groups: SuggestionGroup[] = [
    { label: 'recentSearches', options: filters.length > 0 ? [] : listRecentSearches(starts.recent) },
    {
      label: 'years',
      options: newestYears.map(({ year, count }) =>
        createOption('year', String(year), { condition: `taken:${year}`, count }),
      ),
    },
    { label: 'cameras', options: named('camera', cameras) },
    {
      label: 'people',
      options: users.map(({ user, count }) =>
        createOption('user', user.nickname || user.username, {
          ...{ condition: formatSearchCondition('by', user.username), user, count },
        }),
      ),
    },
    { label: 'tags', options: named('tag', tags) },
    {
      label: 'albums',
      options: starts.albums.map(({ id, name }) => ({ kind: 'album', text: name, href: `/albums/${id}` })),
    },
  ];
  return groups
    .map(({ label, options }) => ({
      ...(label && { label }),
      options: label === 'recentSearches' ? options : options.slice(0, maxOptions),
    }))
    .filter(({ options }) => options.length > 0);
}

function listRecentSearches(recent: string[]): SuggestionOption[] {
  if (recent.length === 0) return [];
  const searches = recent.map(
    (query): SuggestionOption => ({ kind: 'recent', text: query, href: searchHref(query) }),
  );
  return [...searches, { kind: 'clear', text: t('clearRecentSearches'), href: '' }];
}
