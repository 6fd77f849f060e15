/** Tags: trimmed, without duplicates, in the order given, compared without regard to case. */
import { fold } from '../db/fold.ts';
import { invalidFields } from '../http/errors.ts';
import { mostTagLength, mostTags } from './schema.ts';

/** The form's `tags`: one text, separated by commas. */
export function splitTags(text: string): string[] {
  return text.split(',');
}

/** Throws 400 naming `tags` when there are too many, or one is too long. */
export function cleanTags(given: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of given) {
    const trimmed = tag.replace(/\s+/g, ' ').trim();
    if (trimmed && !byKey.has(fold(trimmed))) byKey.set(fold(trimmed), trimmed);
  }
  const tags = [...byKey.values()];
  if (tags.length > mostTags) throw invalidFields({ tags: [`must not have more than ${mostTags} tags`] });
  if (tags.some((tag) => [...tag].length > mostTagLength)) {
    throw invalidFields({ tags: [`must not have tags longer than ${mostTagLength} characters`] });
  }
  return tags;
}
