/** Builds the options of a search box: the typed search itself, then tags, people, cameras and albums. */
import type { SearchSuggestions, User } from '../api/types.ts';
import type { MessageKey } from '../messages/messages.ts';
import { searchHref } from './address.ts';
import { addTypedFilters, formatSearchCondition, type SearchQueryFilter } from './parts.ts';

export interface SuggestionOption {
  /** `clear` deletes the recent searches and opens no page. */
  kind: 'words' | 'tag' | 'user' | 'camera' | 'album' | 'year' | 'recent' | 'clear';
  text: string;
  href: string;
  /** Number of matching photos. */
  count?: number;
  user?: User;
}

export interface SuggestionGroup {
  label?: MessageKey;
  options: SuggestionOption[];
}

export interface SuggestionRequest {
  keyword: string;
  /** Text before the suggested part, which stays unchanged. */
  rest: string;
  /** The only kind to suggest; undefined for all kinds. */
  kind: SuggestionOption['kind'] | undefined;
}

const maxKeyword = 50;
const fieldKinds = new Map<string, SuggestionOption['kind']>([
  ['tag', 'tag'],
  ['by', 'user'],
  ['camera', 'camera'],
]);
/** In Chinese, Japanese and Korean one character can be a word. */
const denseScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const lastField = /^(.*?)(?:^|\s)(\p{L}+):"?([^"]*)$/su;

/** Returns the value of the last field if the user is typing one, or otherwise the whole text. */
export function parseSuggestionRequest(typed: string): SuggestionRequest {
  const [, rest = '', field = '', value] = lastField.exec(typed) ?? [];
  const kind = fieldKinds.get(field.toLowerCase());
  if (kind && value !== undefined) return { keyword: value.trim(), rest: rest.trim(), kind };
  return { keyword: typed.trim(), rest: '', kind: undefined };
}

export function isKeywordLongEnough(keyword: string): boolean {
  const { length } = Array.from(keyword);
  return length <= maxKeyword && (length > 1 || denseScripts.test(keyword));
}

export function groupSuggestions(
  filters: SearchQueryFilter[],
  typed: string,
  found: SearchSuggestions | undefined,
): SuggestionGroup[] {
  const { rest, kind } = parseSuggestionRequest(typed);
  const createHref = (condition: string) => searchHref(addTypedFilters(filters, `${rest} ${condition}`));
  const self: SuggestionOption = {
    ...{ kind: 'words', text: typed.trim() },
    href: searchHref(addTypedFilters(filters, typed)),
  };
  const groups: (SuggestionGroup & { kind: SuggestionOption['kind'] })[] = [
    {
      ...{ kind: 'tag', label: 'tags' },
      options: (found?.tags ?? []).map(({ name, count }) => ({
        ...{ kind: 'tag', text: name, count },
        href: createHref(formatSearchCondition('tag', name)),
      })),
    },
    {
      ...{ kind: 'user', label: 'people' },
      options: (found?.users ?? []).map((user) => ({
        ...{ kind: 'user', text: user.nickname || user.username, user },
        // After `by:` a person's option filters the search; otherwise it opens the person's page.
        href:
          kind === 'user'
            ? createHref(formatSearchCondition('by', user.username))
            : `/users/${user.username}`,
      })),
    },
    {
      ...{ kind: 'camera', label: 'cameras' },
      options: (found?.cameras ?? []).map(({ name, count }) => ({
        ...{ kind: 'camera', text: name, count },
        href: createHref(formatSearchCondition('camera', name)),
      })),
    },
    {
      ...{ kind: 'album', label: 'albums' },
      options: (found?.albums ?? []).map(({ id, name }) => ({
        ...{ kind: 'album', text: name, href: `/albums/${id}` },
      })),
    },
  ];
  const shown = groups.filter((group) => group.options.length > 0 && (!kind || group.kind === kind));
  return [{ options: [self] }, ...shown];
}
