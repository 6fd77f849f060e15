/** A photo's tags stand in its row; `photo_tags` repeats them, with what else a tag's list needs to know. */

import type { Deps } from '../../deps.ts';
import { lockPhoto } from '../../gallery/library/locks.ts';
import { replaceTags } from '../../gallery/library/tag-rows.ts';
import { pagesBy } from '../../platform/db/pages.ts';
import type { PhotoRow } from '../../platform/db/tables.ts';
import type { Round } from './findings.ts';

const pageSize = 500;

type TaggedPhoto = Pick<PhotoRow, 'id' | 'user_id' | 'visibility' | 'create_time' | 'tags'>;

export async function checkTags({ deps, progress, report }: Round): Promise<void> {
  progress.begin('tags');
  for await (const photos of pagesBy(query(deps), 'id', 'id', 0, pageSize)) {
    progress.step(photos.length);
    const suspects = await differing(deps, photos);
    // The second look: a photo whose tags changed between the two questions is as it should be now.
    const again = suspects.length > 0 ? await query(deps).where('id', 'in', suspects).execute() : [];
    for (const id of await differing(deps, again)) {
      await report({
        kind: 'tags-differ',
        subject: `photo ${id}`,
        detail: '',
        repair: () => repairTags(deps, id),
      });
    }
  }
}

function query({ db }: Deps) {
  return db.slow.selectFrom('photos').select(['id', 'user_id', 'visibility', 'create_time', 'tags']);
}

/** Ids of those whose rows are others than they should be. */
async function differing({ db }: Deps, photos: TaggedPhoto[]): Promise<number[]> {
  if (photos.length === 0) return [];
  const ids = photos.map(({ id }) => id);
  const rows = await db.slow
    .selectFrom('photo_tags')
    .selectAll()
    .where('photo_id', 'in', ids)
    .orderBy('photo_id')
    .orderBy('position')
    .execute();
  const byPhoto = Map.groupBy(rows, ({ photo_id }) => photo_id);
  const isRight = ({ id, user_id, visibility, create_time, tags }: TaggedPhoto) => {
    const own = byPhoto.get(id) ?? [];
    return (
      JSON.stringify(own.map(({ name }) => name)) === JSON.stringify(JSON.parse(tags)) &&
      own.every(
        (row) => row.user_id === user_id && row.visibility === visibility && row.create_time === create_time,
      )
    );
  };
  return photos.filter((photo) => !isRight(photo)).map(({ id }) => id);
}

function repairTags({ db }: Deps, id: number): Promise<boolean> {
  return db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, id);
    if (!photo) return false;
    await replaceTags(transaction, photo, JSON.parse(photo.tags) as string[]);
    return true;
  });
}
