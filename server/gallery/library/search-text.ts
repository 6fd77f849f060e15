/** Builds the text that the `keyword` parameter searches: title, description and tags, folded. */
import { foldText } from '../../platform/db/fold.ts';

/**
 * Character between the fields of a search text. No input can contain this character, so no keyword matches across
 * two fields.
 */
const searchTextSeparator = '\u0001';

export function buildSearchText(photo: { title: string; description: string; tags: string[] }): string {
  return foldText([photo.title, photo.description, ...photo.tags].join(searchTextSeparator));
}

/** Returns the folded title, by which `sort=title` sorts. */
export function foldTitle(title: string): string {
  return foldText(title);
}
