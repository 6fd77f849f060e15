/** Builds the texts and keys by which photos are searched and sorted. */
import { foldSearchText, naturalSortKey } from '../../platform/db/fold.ts';

/**
 * Character between the fields of a search text. No input can contain this character, so no keyword matches across
 * two fields.
 */
const searchTextSeparator = '\u0001';

export interface PhotoWords {
  title: string;
  description: string;
  tags: string[];
  file_name: string;
  place_names?: string | undefined;
}

/** Folded texts of a photo in the search index. Only the owner may find a photo by `ownText`. */
export interface PhotoTexts {
  text: string;
  ownText: string;
}

export function buildSearchTexts(words: PhotoWords): PhotoTexts {
  const { title, description, tags, file_name, place_names = '' } = words;
  const join = (...fields: string[]) => foldSearchText(fields.join(searchTextSeparator));
  return { text: join(title, description, ...tags), ownText: join(file_name, place_names) };
}

/** Returns the key by which `sort=title` sorts. */
export function createTitleKey(title: string): string {
  return naturalSortKey(title);
}
