/** Whether the search index holds every photo that can be searched, once, and for those who may see it. */

import type { Deps } from '../../deps.ts';
import { indexPhoto } from '../../gallery/library/search-moves.ts';
import { searchTextOf } from '../../gallery/library/search-text.ts';
import { pagesBy } from '../../platform/db/pages.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { PhotoRow } from '../../platform/db/tables.ts';
import type { Round } from './findings.ts';

const pageSize = 250;

type SearchedPhoto = Pick<PhotoRow, 'id' | 'user_id' | 'visibility' | 'title' | 'description' | 'tags'>;

export async function checkSearch({ deps, progress, report }: Round): Promise<void> {
  progress.begin('the search index');
  for await (const photos of pagesBy(query(deps), 'id', 'id', 0, pageSize)) {
    progress.step(photos.length);
    const suspects = await differing(deps, photos);
    // The second look: a photo that changed between the two questions is as it should be now.
    const again = suspects.length > 0 ? await query(deps).where('id', 'in', suspects).execute() : [];
    for (const id of await differing(deps, again)) {
      await report({
        kind: 'search-differs',
        subject: `photo ${id}`,
        detail: '',
        repair: () => repairEntry(deps, id),
      });
    }
  }
}

/** Photos that wait in `search_moves` are found whatever the index says of them. */
function query({ db }: Deps) {
  return db.slow
    .selectFrom('photos')
    .select(['id', 'user_id', 'visibility', 'title', 'description', 'tags'])
    .where('id', 'not in', (moves) => moves.selectFrom('search_moves').select('photo_id'));
}

async function differing({ db }: Deps, photos: SearchedPhoto[]): Promise<number[]> {
  if (photos.length === 0) return [];
  const entries = Map.groupBy(await db.search.entriesOf(db.slow, photos), ({ photoId }) => photoId);
  const isRight = (photo: SearchedPhoto) => {
    const [entry, ...more] = entries.get(photo.id) ?? [];
    if (!entry || photo.visibility === Visibility.trash)
      return !entry && photo.visibility === Visibility.trash;
    const text = searchTextOf({ ...photo, tags: JSON.parse(photo.tags) as string[] });
    return more.length === 0 && entry.visibility === photo.visibility && (entry.text ?? text) === text;
  };
  return photos.filter((photo) => !isRight(photo)).map(({ id }) => id);
}

function repairEntry(deps: Deps, id: number): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    await indexPhoto(deps, transaction, id);
    return true;
  });
}
