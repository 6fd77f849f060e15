/** Tags: trimmed, without duplicates, in the order given, compared without regard to case. */
import { fold } from '../../platform/db/fold.ts';
import { invalidFields } from '../../platform/errors/catalogue.ts';

export const maxTags = 30;
export const maxTagLength = 50;

/** The form's `tags`: one text, separated by commas. */
export function splitTags(text: string): string[] {
  return text.split(',');
}

/** Throws invalid naming `tags` when there are too many, or one is too long. */
export function cleanTags(given: string[]): string[] {
  const tags = trimTags(given);
  const problem = problemOf(tags);
  if (problem) throw invalidFields({ tags: [problem] });
  return tags;
}

/** What `cleanTags` would complain of; undefined when nothing is wrong. */
export function tagsProblem(given: string[]): string | undefined {
  return problemOf(trimTags(given));
}

export function trimTags(given: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of given) {
    const trimmed = tag.replace(/\s+/g, ' ').trim();
    if (trimmed && !byKey.has(fold(trimmed))) byKey.set(fold(trimmed), trimmed);
  }
  return [...byKey.values()];
}

function problemOf(tags: string[]): string | undefined {
  if (tags.length > maxTags) return `must not have more than ${maxTags} tags`;
  const isTooLong = tags.some((tag) => [...tag].length > maxTagLength);
  return isTooLong ? `must not have tags longer than ${maxTagLength} characters` : undefined;
}
