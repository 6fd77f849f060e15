/** What a search box offers for what is typed: the search itself, then tags, people and cameras. */
import type { Suggestions, User } from '../api/types.ts';
import type { MessageKey } from '../messages/messages.ts';
import { searchHref } from './address.ts';
import { addTyped, formatCondition, type QueryFilter } from './parts.ts';

export interface SuggestionOption {
  kind: 'words' | 'tag' | 'user' | 'camera';
  text: string;
  href: string;
  /** Photos that it finds. */
  count?: number;
  user?: User;
}

export interface SuggestionGroup {
  label?: MessageKey;
  options: SuggestionOption[];
}

export interface SuggestionRequest {
  keyword: string;
  /** What was typed before it, which stays. */
  rest: string;
  /** The only kind that is asked for. */
  kind: SuggestionOption['kind'] | undefined;
}

const maxKeyword = 50;
const fieldKinds = new Map<string, SuggestionOption['kind']>([
  ['tag', 'tag'],
  ['by', 'user'],
  ['camera', 'camera'],
]);
/** Chinese, Japanese and Korean: one character is a word. */
const denseScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const lastField = /^(.*?)(?:^|\s)(\p{L}+):"?([^"]*)$/su;

/** All that is typed, or the value of the field that one is about to fill in. */
export function parseTyped(typed: string): SuggestionRequest {
  const [, rest = '', field = '', value] = lastField.exec(typed) ?? [];
  const kind = fieldKinds.get(field.toLowerCase());
  if (kind && value !== undefined) return { keyword: value.trim(), rest: rest.trim(), kind };
  return { keyword: typed.trim(), rest: '', kind: undefined };
}

export function isLongEnough(keyword: string): boolean {
  const { length } = Array.from(keyword);
  return length <= maxKeyword && (length > 1 || denseScripts.test(keyword));
}

export function groupSuggestions(
  filters: QueryFilter[],
  typed: string,
  found: Suggestions | undefined,
): SuggestionGroup[] {
  const { rest, kind } = parseTyped(typed);
  const createHref = (condition: string) => searchHref(addTyped(filters, `${rest} ${condition}`));
  const self: SuggestionOption = {
    ...{ kind: 'words', text: typed.trim() },
    href: searchHref(addTyped(filters, typed)),
  };
  const groups: (SuggestionGroup & { kind: SuggestionOption['kind'] })[] = [
    {
      ...{ kind: 'tag', label: 'tags' },
      options: (found?.tags ?? []).map(({ name, count }) => ({
        ...{ kind: 'tag', text: name, count },
        href: createHref(formatCondition('tag', name)),
      })),
    },
    {
      ...{ kind: 'user', label: 'people' },
      options: (found?.users ?? []).map((user) => ({
        ...{ kind: 'user', text: user.nickname || user.username, user },
        // In the midst of a query, who took the photo; by itself, the person.
        href: kind === 'user' ? createHref(formatCondition('by', user.username)) : `/users/${user.username}`,
      })),
    },
    {
      ...{ kind: 'camera', label: 'cameras' },
      options: (found?.cameras ?? []).map(({ name, count }) => ({
        ...{ kind: 'camera', text: name, count },
        href: createHref(formatCondition('camera', name)),
      })),
    },
  ];
  const shown = groups.filter((group) => group.options.length > 0 && (!kind || group.kind === kind));
  return [{ options: [self] }, ...shown];
}
