/** What a search box offers for what is typed: the search itself, then tags, people and cameras. */
import type { Suggestions, User } from '../api/types.ts';
import type { MessageKey } from '../messages/messages.ts';
import { searchHref } from './address.ts';
import { conditionOf, type Filter, withTyped } from './parts.ts';

export interface Option {
  kind: 'words' | 'tag' | 'user' | 'camera';
  text: string;
  href: string;
  /** Photos that it finds. */
  count?: number;
  user?: User;
}

export interface Group {
  label?: MessageKey;
  options: Option[];
}

export interface Asked {
  keyword: string;
  /** What was typed before it, which stays. */
  rest: string;
  /** The only kind that is asked for. */
  kind: Option['kind'] | undefined;
}

const maxKeyword = 50;
const kinds = new Map<string, Option['kind']>([
  ['tag', 'tag'],
  ['by', 'user'],
  ['camera', 'camera'],
]);
/** Chinese, Japanese and Korean: one character is a word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const lastField = /^(.*?)(?:^|\s)(\p{L}+):"?([^"]*)$/su;

/** All that is typed, or the value of the field that one is about to fill in. */
export function askedOf(typed: string): Asked {
  const [, rest = '', field = '', value] = lastField.exec(typed) ?? [];
  const kind = kinds.get(field.toLowerCase());
  if (kind && value !== undefined) return { keyword: value.trim(), rest: rest.trim(), kind };
  return { keyword: typed.trim(), rest: '', kind: undefined };
}

export function isWorthAsking(keyword: string): boolean {
  const { length } = Array.from(keyword);
  return length <= maxKeyword && (length > 1 || dense.test(keyword));
}

export function groupsOf(filters: Filter[], typed: string, found: Suggestions | undefined): Group[] {
  const { rest, kind } = askedOf(typed);
  const hrefWith = (condition: string) => searchHref(withTyped(filters, `${rest} ${condition}`));
  const self: Option = {
    ...{ kind: 'words', text: typed.trim() },
    href: searchHref(withTyped(filters, typed)),
  };
  const groups: (Group & { kind: Option['kind'] })[] = [
    {
      ...{ kind: 'tag', label: 'tags' },
      options: (found?.tags ?? []).map(({ name, count }) => ({
        ...{ kind: 'tag', text: name, count },
        href: hrefWith(conditionOf('tag', name)),
      })),
    },
    {
      ...{ kind: 'user', label: 'people' },
      options: (found?.users ?? []).map((user) => ({
        ...{ kind: 'user', text: user.nickname || user.username, user },
        // In the midst of a query, who took the photo; by itself, the person.
        href: kind === 'user' ? hrefWith(conditionOf('by', user.username)) : `/users/${user.username}`,
      })),
    },
    {
      ...{ kind: 'camera', label: 'cameras' },
      options: (found?.cameras ?? []).map(({ name, count }) => ({
        ...{ kind: 'camera', text: name, count },
        href: hrefWith(conditionOf('camera', name)),
      })),
    },
  ];
  const shown = groups.filter((group) => group.options.length > 0 && (!kind || group.kind === kind));
  return [{ options: [self] }, ...shown];
}
