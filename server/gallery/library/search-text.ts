/** What `keyword` searches: title, description and tags, folded. */
import { fold } from '../../platform/db/fold.ts';

/** Stands between the fields: no input can contain it, so no keyword matches across them. */
const separator = '\u0001';

export function searchTextOf(photo: { title: string; description: string; tags: string[] }): string {
  return fold([photo.title, photo.description, ...photo.tags].join(separator));
}

/** What `sort=title` sorts by. */
export function titleKeyOf(title: string): string {
  return fold(title);
}
